import { NOW } from 'product-reviews-test-support/clock';
import { messageOf, SECRET, signatureOf } from 'product-reviews-test-support/signing';
import { expect, test } from 'vitest';
import { testHandler } from '../../support/handler.js';

/** A body that has no end, and counts what was read of it. */
function endless(pieceBytes: number) {
	const read = { pieces: 0, isCancelled: false };
	const body = new ReadableStream<Uint8Array>(
		{
			pull(controller) {
				read.pieces += 1;
				controller.enqueue(new Uint8Array(pieceBytes));
			},
			cancel() {
				read.isCancelled = true;
			},
		},
		{ highWaterMark: 0 },
	);
	return { body, read };
}

function post(body: BodyInit, headers: Record<string, string> = {}): Request {
	const init = { method: 'POST', body, duplex: 'half', headers: { ...messageOf().headers, ...headers } };
	return new Request('https://shop.example', init as RequestInit);
}

test('a body that is announced as too large is not read', async () => {
	const { body, read } = endless(1_000);
	const response = await testHandler().handle(post(body, { 'content-length': '262145' }));
	expect(response.status).toBe(413);
	expect(read).toEqual({ pieces: 0, isCancelled: true });
});

test.each([undefined, '10', 'many'])(
	'an endless body is read no further than allowed (announced: %s)',
	async (length) => {
		const { body, read } = endless(1_000);
		const headers = length === undefined ? {} : { 'content-length': length };
		const response = await testHandler({ maxBytes: 10_000 }).handle(post(body, headers));
		expect(response.status).toBe(413);
		expect(read).toEqual({ pieces: 11, isCancelled: true });
	},
);

test('a body of just the most bytes is taken, and one byte more is not', async () => {
	const { statusOf } = testHandler();
	const full = `"${'x'.repeat(262_142)}"`;
	expect(await statusOf(messageOf({ body: full }))).toBe(202);
	expect(await statusOf(messageOf({ body: `${full} ` }))).toBe(413);
});

test('a body that comes in many pieces is verified as a whole', async () => {
	const message = messageOf();
	const body = new ReadableStream({
		start(controller) {
			for (const byte of message.body) controller.enqueue(Uint8Array.of(byte));
			controller.close();
		},
	});
	expect((await testHandler().handle(post(body, message.headers))).status).toBe(202);
});

test('a request is judged by the time at which its body has come', async () => {
	const timestamp = String(NOW / 1_000 - 299);
	const handler = testHandler();
	const text = '{"data":{"pid":"p-1"}}';
	const signature = signatureOf({ id: 'slow', timestamp, body: text, secret: SECRET });
	const body = new ReadableStream({
		pull(controller) {
			handler.advance(2_000);
			controller.enqueue(new TextEncoder().encode(text));
			controller.close();
		},
	});
	const headers = { 'webhook-id': 'slow', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
	expect((await handler.handle(post(body, headers))).status).toBe(401);
});
