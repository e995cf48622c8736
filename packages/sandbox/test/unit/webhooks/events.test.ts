import { expect, it } from 'vitest';
import { expectedSignature, testReceiver } from '../../support/test-receiver.js';
import { testSandbox } from '../../support/test-sandbox.js';

const NOW = Date.UTC(2026, 9, 1, 8);
const PRODUCTS = [
	{ pid: 'a/b 🦊', name: 'A' },
	{ pid: 'c', name: 'C' },
];

it('sends a signed event for each edit, in thin form', async () => {
	const receiver = await testReceiver();
	const sandbox = await testSandbox({ products: PRODUCTS, now: () => NOW, wsid: 'W-7' });
	const { secret } = sandbox.webhooks.add({ url: receiver.url });
	expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);

	const { store, webhooks } = sandbox;
	const edit = async (change: () => unknown) => {
		change();
		await webhooks.settled();
	};
	const { id } = store.createReview('a/b 🦊', { rating: 5, title: 'Lovely', author: 'Ada L.' });
	await webhooks.settled();
	await edit(() => store.editReview(id, { body: 'Very lovely' }));
	await edit(() => store.unpublish(id));
	await edit(() => store.publish(id));
	await edit(() => store.deleteReview(id));
	await edit(() => store.createReview('c', { rating: 1, status: 'unpublished' }));
	await edit(() => store.addQuestion('c', { question: 'Why?' }));
	await edit(() => store.addQuestion('c', { question: 'How?', answer: 'So.', alsoAbout: ['a/b 🦊', 'c'] }));

	expect(receiver.received.map(({ body }) => [body.type, body.data.pid])).toEqual([
		['review.created', 'a/b 🦊'],
		['review.updated', 'a/b 🦊'],
		['review.unpublished', 'a/b 🦊'],
		['review.published', 'a/b 🦊'],
		['review.deleted', 'a/b 🦊'],
		['review.created', 'c'],
		['question.created', 'c'],
		['question.answered', 'c'],
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

it('sends nothing for products, the seed and edits that fail', async () => {
	const receiver = await testReceiver();
	const sandbox = await testSandbox({
		products: [{ pid: 'p', name: 'P', reviews: 2 }],
		webhooks: [{ url: receiver.url }],
	});
	sandbox.store.addProduct({ pid: 'q', name: 'Q' });
	expect(() => sandbox.store.createReview('zz', { rating: 5 })).toThrow();
	expect(() => sandbox.store.createReview('p', { rating: 9 })).toThrow();
	await sandbox.webhooks.settled();
	expect(receiver.received).toEqual([]);
});

it('signs with a secret that is given', async () => {
	const receiver = await testReceiver();
	const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
	const sandbox = await testSandbox({ products: PRODUCTS, webhooks: [{ url: receiver.url, secret }] });
	sandbox.store.createReview('c', { rating: 5 });
	await sandbox.webhooks.settled();
	const [event] = receiver.received;
	expect(event?.signature).toBe(event && expectedSignature(secret, event));
});

it.each([
	['pid', { wsid: 'W-1001', pid: 'c' }],
	['pids', { wsid: 'W-1001', pid: ['c'] }],
	['arrpid', { wsid: 'W-1001', arrpid: [{ pid: 'c' }] }],
	['none', { wsid: 'W-1001' }],
] as const)('names the product in the shape %s', async (shape, data) => {
	const receiver = await testReceiver();
	const sandbox = await testSandbox({ products: PRODUCTS, webhooks: [{ url: receiver.url, shape }] });
	sandbox.store.createReview('c', { rating: 5 });
	await sandbox.webhooks.settled();
	expect(receiver.received.map(({ body }) => body.data)).toEqual([data]);
	expect(sandbox.webhooks.deliveries).toMatchObject([{ pid: 'c', status: 204, attempt: 1 }]);
});
