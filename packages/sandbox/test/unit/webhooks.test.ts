import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { listenInTest } from 'product-reviews-test-support/listen';
import { signatureOf } from 'product-reviews-test-support/signing';
import { describe, expect, it } from 'vitest';
import { InvalidInputError, type NewWebhook, NotFoundError, startSandbox } from '../../src/index.js';
import { callsTo, testSandbox } from '../support/test-sandbox.js';

type ReceivedEvent = ReturnType<typeof readEvent>;

function readEvent({ headers }: IncomingMessage, text: string) {
	return {
		id: String(headers['webhook-id']),
		timestamp: Number(headers['webhook-timestamp']),
		signature: String(headers['webhook-signature']),
		contentType: headers['content-type'],
		key: headers['x-reviews-api-key'],
		text,
		body: JSON.parse(text) as { type: string; timestamp: string; data: Record<string, unknown> },
	};
}

/** What to answer: a status, a status with headers, no answer at all, or the end of the connection. */
type Reply =
	| number
	| { readonly status: number; readonly headers: Record<string, string> }
	| 'hang'
	| 'reset';

/** Starts a receiver of webhooks that ends with the test. `reply` is asked for each request, counted from 0. */
async function testReceiver(reply: (index: number) => Reply | Promise<Reply> = () => 204) {
	const received: ReceivedEvent[] = [];
	let open = 0;
	let mostOpen = 0;
	const server = createServer(async (request, response) => {
		open += 1;
		mostOpen = Math.max(mostOpen, open);
		response.once('close', () => {
			open -= 1;
		});
		const index = received.push(readEvent(request, await text(request)));
		const answer = await reply(index - 1);
		if (answer === 'hang') return;
		if (answer === 'reset') return void response.socket?.resetAndDestroy();
		const { status, headers } = typeof answer === 'number' ? { status: answer, headers: {} } : answer;
		response.writeHead(status, headers).end();
	});
	const { url } = await listenInTest(server);
	return { url: `${url}/hooks?key=k3y`, received, mostOpen: () => mostOpen };
}

/** The signature that an event should have, made without the code under test. */
function expectedSignature(secret: string, { id, timestamp, text }: ReceivedEvent): string {
	return signatureOf({ id, timestamp: String(timestamp), body: text, secret });
}

const NOW = Date.UTC(2026, 9, 1, 8);
const PIDS = ['p-1', 'p-2', 'p-3', 'p-4', 'p-5', 'p-6', 'p-7', 'p-8'];
const PRODUCTS = [...PIDS, 'a/b 🦊'].map((pid) => ({ pid, name: pid }));
/** In milliseconds: longer than any test may take. */
const FOR_EVER = 3_600_000;

/** A sandbox whose clock goes on by a second at each look, with a receiver that answers with these replies, then 204. */
async function sending(replies: readonly Reply[] = [], options: Partial<NewWebhook> = {}) {
	const receiver = await testReceiver((index) => replies[index] ?? 204);
	let time = NOW;
	const now = () => (time += 1_000);
	const webhooks = [{ url: receiver.url, retryDelays: [1], ...options }];
	const sandbox = await testSandbox({ products: PRODUCTS, now, webhooks });
	const review = (pid = 'p-1') => sandbox.store.createReview(pid, { rating: 5 });
	const secret = sandbox.webhooks.list()[0]?.secret ?? '';
	/** Products in the order in which events about them were sent. */
	const order = () =>
		receiver.received
			.toSorted((one, other) => one.timestamp - other.timestamp)
			.map(({ body }) => body.data.pid);
	return { ...receiver, sandbox, webhooks: sandbox.webhooks, review, secret, order };
}

describe('registering', () => {
	const SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;

	const OWN = ['localhost:4321', 'LOCALHOST', '127.0.0.1', '127.9.8.7', '2130706433', '[::1]:80'];
	const OTHERS = ['0.0.0.0', '[::]', '10.0.0.1', '127.0.0.1.example', 'localhost.example', 'hooks.localhost'];

	it.each([...OWN, ...OTHERS])(
		'takes an address of %s only if it is this machine, or allowed',
		async (host) => {
			const url = `http://${host}/hooks`;
			const isOwn = OWN.includes(host);
			const { webhooks } = await testSandbox();
			const message = /is not this machine\..*allowRemoteWebhooks \(--allow-remote-webhooks\)\.$/;
			if (isOwn) return void webhooks.add({ url });
			expect(() => webhooks.add({ url })).toThrow(message);
			await expect(startSandbox({ seed: false, webhooks: [{ url }] })).rejects.toThrow(InvalidInputError);
			const open = await testSandbox({ allowRemoteWebhooks: true, webhooks: [{ url }] });
			expect(open.webhooks.list()).toMatchObject([{ url }]);
		},
	);

	it('never follows a redirect', async () => {
		const other = await testReceiver();
		const receiver = await testReceiver(() => ({ status: 307, headers: { location: other.url } }));
		const { store, webhooks } = await testSandbox({ products: [{ pid: 'p', name: 'P' }] });
		webhooks.add({ url: receiver.url, retries: 0 });
		store.createReview('p', { rating: 5 });
		await webhooks.settled();
		expect(webhooks.deliveries).toMatchObject([{ status: 307 }]);
		expect(other.received).toEqual([]);
	});

	it.each([
		[{ url: 'localhost:4321' }, /^url: /],
		[{ url: 'file:///etc/passwd' }, /^url: /],
		[{ url: 'http://user:word@localhost/' }, /^url: /],
		[{ secret: 'whsec_c2hvcnQ=' }, /^secret: /],
		[{ secret: `whsec_${'?'.repeat(44)}` }, /^secret: /],
		[{ duplicates: -1 }, /^duplicates: /],
		[{ ids: 'data..pid' }, /^ids: /],
		[{ keyHeader: 'x key' }, /^keyHeader: /],
		[{ retryDelays: [-1] }, /^retryDelays\.0: /],
		[{ retrys: 1 }, /retrys/],
	])('refuses %j with a clear message', async (changes, message) => {
		const { webhooks } = await testSandbox();
		expect(() => webhooks.add({ url: 'http://localhost/', ...changes } as never)).toThrow(message);
	});

	it('registers an address once', async () => {
		const { webhooks } = await testSandbox({ webhooks: [{ url: 'http://LOCALHOST:80/a' }] });
		expect(() => webhooks.add({ url: 'http://localhost/a' })).toThrow('already registered');
		webhooks.remove(webhooks.list()[0]?.id ?? '');
		expect(webhooks.add({ url: 'http://localhost/a', secret: SECRET }).secret).toBe(SECRET);
		expect(() => webhooks.remove('zz')).toThrow(NotFoundError);
	});

	it('registers, lists and ends over HTTP; only the answer to registering has the secret', async () => {
		const receiver = await testReceiver();
		const sandbox = await testSandbox({ products: [{ pid: 'p', name: 'P' }] });
		const { send } = callsTo(sandbox);
		const added = await send('POST', 'webhooks', { url: receiver.url, ids: 'data.pid.0' });
		expect(added).toMatchObject({ status: 201, body: { url: receiver.url, ids: 'data.pid.0' } });
		expect(added.body.secret).toMatch(/^whsec_/);
		const { webhooks } = (await send('GET', 'webhooks')).body;
		expect(webhooks).toMatchObject([{ id: added.body.id, url: receiver.url }]);
		expect(JSON.stringify(webhooks)).not.toContain('whsec_');

		sandbox.store.createReview('p', { rating: 5 });
		await sandbox.webhooks.settled();
		const facts = { event: receiver.received[0]?.id, type: 'review.created', pid: 'p', status: 204 };
		expect((await send('GET', 'webhooks/deliveries')).body.deliveries).toMatchObject([facts]);

		expect((await send('POST', 'webhooks', { url: 'http://10.0.0.1/' })).status).toBe(400);
		expect((await send('DELETE', `webhooks/${added.body.id}`)).status).toBe(204);
		expect((await send('DELETE', `webhooks/${added.body.id}`)).status).toBe(404);
		await send('POST', 'webhooks', { url: receiver.url });
		expect((await send('DELETE', 'webhooks')).status).toBe(204);
		expect((await send('GET', 'webhooks')).body.webhooks).toEqual([]);
	});
});

describe('events', () => {
	it('are sent for each edit, signed and in thin form', async () => {
		const receiver = await testReceiver();
		const sandbox = await testSandbox({ products: PRODUCTS, now: () => NOW, wsid: 'W-7' });
		const { secret } = sandbox.webhooks.add({ url: receiver.url });
		expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);

		const { store, webhooks } = sandbox;
		const edit = async <Result>(change: () => Result) => {
			const result = change();
			await webhooks.settled();
			return result;
		};
		const review = { rating: 5, title: 'Lovely', author: 'Ada L.' };
		const { id } = await edit(() => store.createReview('a/b 🦊', review));
		await edit(() => store.editReview(id, { body: 'Very lovely' }));
		await edit(() => store.unpublish(id));
		await edit(() => store.publish(id));
		await edit(() => store.deleteReview(id));
		await edit(() => store.createReview('p-1', { rating: 1, status: 'unpublished' }));
		await edit(() => store.addQuestion('p-1', { question: 'Why?' }));
		const answered = { question: 'How?', answer: 'So.', alsoAbout: ['a/b 🦊', 'p-1'] };
		await edit(() => store.addQuestion('p-1', answered));

		expect(receiver.received.map(({ body }) => [body.type, body.data.pid])).toEqual([
			['review.created', 'a/b 🦊'],
			['review.updated', 'a/b 🦊'],
			['review.unpublished', 'a/b 🦊'],
			['review.published', 'a/b 🦊'],
			['review.deleted', 'a/b 🦊'],
			['review.created', 'p-1'],
			['question.created', 'p-1'],
			['question.answered', 'p-1'],
			['question.answered', 'a/b 🦊'],
		]);
		for (const event of receiver.received) {
			expect(event.signature).toBe(expectedSignature(secret, event));
			expect(event.id).toMatch(/^[A-Za-z0-9_-]{1,128}$/);
			expect(event.timestamp).toBe(NOW / 1_000);
			expect(event.contentType).toBe('application/json');
			// Nothing but these keys: the content of a review has no place in it.
			expect(event.body).toEqual({
				type: event.body.type,
				timestamp: '2026-10-01T08:00:00.000Z',
				data: { wsid: 'W-7', pid: event.body.data.pid },
			});
		}
		expect(new Set(receiver.received.map((event) => event.id)).size).toBe(9);
	});

	it('are not sent for products, the seed and edits that fail', async () => {
		const receiver = await testReceiver();
		const products = [{ pid: 'p', name: 'P', reviews: 2 }];
		const { store, webhooks } = await testSandbox({ products, webhooks: [{ url: receiver.url }] });
		store.addProduct({ pid: 'q', name: 'Q' });
		expect(() => store.createReview('zz', { rating: 5 })).toThrow();
		expect(() => store.createReview('p', { rating: 9 })).toThrow();
		await webhooks.settled();
		expect(receiver.received).toEqual([]);
	});

	it.each([
		['data.pid', { data: { wsid: 'W-1001', pid: 'p-1' } }],
		['data.pid.0', { data: { wsid: 'W-1001', pid: ['p-1'] } }],
		['data.arrpid.0.pid', { data: { wsid: 'W-1001', arrpid: [{ pid: 'p-1' }] } }],
		['review.product', { data: { wsid: 'W-1001' }, review: { product: 'p-1' } }],
		['', { data: { wsid: 'W-1001' } }],
	] as const)('name the product at %j, signed with the secret that is given', async (ids, content) => {
		const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
		const { received, webhooks, review } = await sending([], { ids, secret });
		review();
		await webhooks.settled();
		const facts = { type: 'review.created', timestamp: expect.any(String) };
		expect(received.map(({ body }) => body)).toEqual([{ ...facts, ...content }]);
		for (const event of received) expect(event.signature).toBe(expectedSignature(secret, event));
		expect(webhooks.deliveries).toMatchObject([{ pid: 'p-1', status: 204, attempt: 1 }]);
	});
});

describe('a service that does not sign', () => {
	it('sends the API key in a header, and neither signature, id nor time; or nothing at all', async () => {
		const { received, sandbox, webhooks, review, url } = await sending([], {
			keyHeader: 'x-reviews-api-key',
		});
		webhooks.add({ url: `${url}&unsigned`, signed: false });
		webhooks.add({ url: `${url}&both`, keyHeader: 'x-reviews-api-key', signed: true });
		review();
		await webhooks.settled();
		const seen = received.map(({ key, id, signature, body }) => [
			key,
			id,
			signature.slice(0, 3),
			Object.keys(body),
		]);
		const thin = ['type', 'data'];
		expect(seen).toHaveLength(3);
		expect(seen).toContainEqual([sandbox.apiKey, 'undefined', 'und', thin]);
		expect(seen).toContainEqual([undefined, 'undefined', 'und', thin]);
		const ofBoth = [sandbox.apiKey, expect.stringMatching(/^msg_/), 'v1,', ['type', 'timestamp', 'data']];
		expect(seen).toContainEqual(ofBoth);
	});

	it('sends an event about colors, which names no product', async () => {
		const { received, sandbox, webhooks } = await sending();
		webhooks.send('css_update');
		expect(await callsTo(sandbox).send('POST', 'webhooks/css-update')).toMatchObject({ status: 202 });
		await webhooks.settled();
		const body = { type: 'css_update', timestamp: expect.any(String), data: { wsid: 'W-1001' } };
		expect(received.map((event) => event.body)).toEqual([body, body]);
		expect(webhooks.deliveries).toMatchObject([{ pid: null }, { pid: null }]);
	});
});

describe('retries', () => {
	it('have the same id and body, and a new time and signature', async () => {
		const { received, webhooks, review, secret } = await sending([503, 'reset', 302], { retries: 3 });
		review();
		await webhooks.settled();
		expect(received).toHaveLength(4);
		const different = (pick: (event: (typeof received)[number]) => unknown) =>
			new Set(received.map(pick)).size;
		expect([different(({ id }) => id), different(({ text }) => text)]).toEqual([1, 1]);
		expect(different(({ timestamp }) => timestamp)).toBe(4);
		for (const event of received) expect(event.signature).toBe(expectedSignature(secret, event));
		expect(webhooks.deliveries.map(({ attempt, status, error }) => [attempt, status, error])).toEqual([
			[1, 503, null],
			[2, null, 'connection'],
			[3, 302, null],
			[4, 204, null],
		]);
	});

	it('come after a try that ended at its time limit, and end after the last pause', async () => {
		const { webhooks, review } = await sending(Array(4).fill('hang'), { timeLimit: 50, retryDelays: [1, 2] });
		review();
		await webhooks.settled();
		expect(webhooks.deliveries.map(({ error }) => error)).toEqual(Array(3).fill('time limit'));
	});

	it.each([
		['30', true],
		['99999999999', true],
		['Thu, 01 Oct 2099 00:01:00 GMT', true],
		['Wed, 30 Sep 2026 00:01:00 GMT', false],
		['soon', false],
		['-3', false],
	])('that are asked to wait until Retry-After: %s wait: %s', async (value, isWaiting) => {
		const busy = { status: 429, headers: { 'retry-after': value } };
		const { webhooks, review } = await sending([busy]);
		// Another one is asked to wait no time: what it has sent again, the first one has, too, unless it waits.
		const other = await testReceiver((index) => (index < 20 ? 429 : 204));
		webhooks.add({ url: other.url, retryDelays: Array(20).fill(2) });
		review();
		await expect.poll(() => other.received.length, { interval: 5 }).toBe(21);
		const tries = webhooks.deliveries.filter(({ url }) => url !== other.url);
		expect(tries.map(({ status }) => status)).toEqual(isWaiting ? [429] : [429, 204]);
	});

	it('end with the registration at 410, and with them what waits', async () => {
		const { received, webhooks, review } = await sending([500, 410], { retryDelays: [FOR_EVER] });
		review();
		await expect.poll(() => webhooks.deliveries.length).toBe(1);
		review();
		await webhooks.settled();
		expect(webhooks.list()).toEqual([]);
		review();
		await webhooks.settled();
		expect(received).toHaveLength(2);
	});
});

describe('many events', () => {
	it('have copies with the same id', async () => {
		const { received, webhooks, review } = await sending([], { duplicates: 2 });
		review('p-1');
		review('p-2');
		await webhooks.settled();
		expect(received).toHaveLength(6);
		expect(new Set(received.map(({ id }) => id)).size).toBe(2);
		expect(webhooks.deliveries.map(({ copy }) => copy).sort()).toEqual([0, 0, 1, 1, 2, 2]);
	});

	it('are held back for a while, and sent in another order', async () => {
		const { order, webhooks, review } = await sending([], { disorder: { ms: 200 } });
		for (const pid of PIDS) review(pid);
		await webhooks.settled();
		expect(order()).not.toEqual(PIDS);
		expect(order().sort()).toEqual(PIDS);
	});

	it('are at most four in flight at an address', async () => {
		// Each is answered when there are four.
		const waiting: ((status: number) => void)[] = [];
		const receiver = await testReceiver(() => {
			const { promise, resolve } = Promise.withResolvers<number>();
			if (waiting.push(resolve) === 4) for (const answer of waiting.splice(0)) answer(200);
			return promise;
		});
		const { store, webhooks } = await testSandbox({ products: PRODUCTS });
		webhooks.add({ url: receiver.url, duplicates: 1, timeLimit: FOR_EVER });
		for (const pid of PIDS) store.createReview(pid, { rating: 5 });
		await webhooks.settled();
		expect(receiver.received).toHaveLength(16);
		expect(receiver.mostOpen()).toBe(4);
	});

	it('delay no edit while the receiver hangs, and end with close', async () => {
		const { sandbox, received, webhooks } = await sending(Array(8).fill('hang'), { timeLimit: FOR_EVER });
		const { send } = callsTo(sandbox);
		for (const pid of PIDS)
			expect((await send('POST', `products/${pid}/reviews`, { rating: 5 })).status).toBe(201);
		await expect.poll(() => received.length).toBe(4);
		await sandbox.close();
		await webhooks.settled();
		expect(webhooks.deliveries.map(({ error }) => error)).toEqual(Array(4).fill('ended'));
	});

	it('that wait for a pause or are held back end with close, too', async () => {
		const { sandbox, received, url, webhooks, review } = await sending([500], { retryDelays: [FOR_EVER] });
		webhooks.add({ url: `${url}&held`, disorder: { ms: FOR_EVER } });
		review();
		await expect.poll(() => webhooks.deliveries.length).toBe(1);
		await sandbox.close();
		await webhooks.settled();
		expect(received).toHaveLength(1);
	});

	it('let an edit pass where nobody listens, and each try is a line of the log without its path', async () => {
		const lines: string[] = [];
		const { store, webhooks } = await testSandbox({
			products: [{ pid: 'p\n1', name: 'P' }],
			webhooks: [{ url: 'http://127.0.0.1:1/hooks/k3y', retryDelays: [1] }],
			log: (line) => lines.push(line),
		});
		store.createReview('p\n1', { rating: 5 });
		await webhooks.settled();
		const line = /^webhook review\.created pid=p1 to 127\.0\.0\.1:1 no answer \(connection\) \d+ ms$/;
		expect(lines).toEqual([expect.stringMatching(line), expect.stringMatching(/ attempt=2$/)]);
	});
});
