import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { memoryInUse } from 'product-reviews-test-support/memory';
import { messageOfNow, OTHER_SECRET, send } from 'product-reviews-test-support/signing';
import { expect, onTestFinished, test } from 'vitest';
import { receiving, talk } from '../../support/receiving.js';

const accepted = messageOfNow();

type Hostile = () => [status: number, message: ReturnType<typeof messageOfNow>];

const tooLarge: Hostile = () => [413, messageOfNow({ body: Buffer.alloc(300_000) })];

/** Kinds of requests that nobody should send, and the answers to them. Each one is another. */
const KINDS: readonly Hostile[] = [
	() => [202, accepted],
	() => [401, messageOfNow({ secret: OTHER_SECRET })],
	() => [
		401,
		{ ...accepted, headers: { ...accepted.headers, 'webhook-id': randomBytes(60).toString('hex') } },
	],
	() => [415, { ...messageOfNow(), headers: { 'webhook-id': 'x'.repeat(4_000) } }],
	() => [400, messageOfNow({ body: randomBytes(2_000) })],
];

test('of 10,000 hostile requests none is accepted, and nothing of them is left in memory', async () => {
	const { url, port, collector } = await receiving({ debounce: 600_000 });
	const wrong = new Set<string>();
	let next = 0;
	const sendUntil = (until: number) =>
		Promise.all(
			Array.from({ length: 12 }, async () => {
				while (next < until) {
					const kind = next % 250 === 249 ? tooLarge : (KINDS[next % KINDS.length] ?? tooLarge);
					next += 1;
					const [status, message] = kind();
					const answered = await send(url, message);
					if (answered !== status) wrong.add(`${answered}, not ${status}`);
				}
			}),
		);
	expect(await send(url, accepted)).toBe(202);
	// Some stay open with half a body for as long as they are let.
	for (let index = 0; index < 10; index += 1) {
		const socket = connect(port, '127.0.0.1').on('error', () => {});
		socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 200000\r\n\r\n{"data"');
		onTestFinished(() => void socket.destroy());
	}
	const garbage = Array.from({ length: 30 }, (_, index) =>
		talk(port, index % 2 ? randomBytes(2_000) : `POST / HTTP/1.1\r\n${'x: y\r\n'.repeat(5_000)}`),
	);
	await sendUntil(2_000);
	const early = await memoryInUse();
	await sendUntil(10_000);
	await Promise.all(garbage);
	const late = await memoryInUse();

	expect([...wrong]).toEqual([]);
	const { waiting, counts } = await collector.status();
	expect([waiting.products, counts]).toEqual([1, { changes: 1, rebuilds: 0, failures: 0 }]);
	expect((late.heap + late.buffers - early.heap - early.buffers) / 1e6).toBeLessThan(10);
	expect(await send(url)).toBe(202);
});

test('a sender that never ends its body is answered, and then left alone', async () => {
	const { port } = await receiving({ requestTimeout: 60_000 });
	const text = 'PUT / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\nhalf';
	expect(await talk(port, text)).toContain('405 Method Not Allowed');
});
