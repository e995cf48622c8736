import { expect, it } from 'vitest';
import { NotFoundError } from '../../../src/index.js';
import { readCrawlerBlock } from '../../support/crawler-block.js';
import { callsTo, testSandbox } from '../../support/test-sandbox.js';

const NOW = Date.UTC(2026, 9, 1, 8);
const PRODUCT = { pid: 'a/b', name: 'A' };

async function editable() {
	const sandbox = await testSandbox({ products: [PRODUCT], now: () => NOW });
	const { crawlerReviews } = callsTo(sandbox);
	const send = async (method: string, path: string, body?: unknown) => {
		const response = await fetch(sandbox.url + path, {
			method,
			headers: { 'content-type': 'application/json' },
			...(body === undefined ? {} : { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
	};
	const shown = async () => {
		const { html } = await (await crawlerReviews(PRODUCT.pid)).json();
		return readCrawlerBlock(html).items.map(({ title }) => title);
	};
	return { ...sandbox, send, shown };
}

it('creates, edits, unpublishes, publishes and deletes a review over HTTP; each shows at once', async () => {
	const { send, shown } = await editable();
	const created = await send('POST', '/__sandbox/products/a%2Fb/reviews', {
		rating: 4.5,
		title: 'First',
		author: 'Ada L.',
	});
	expect(created).toMatchObject({
		status: 201,
		body: { pid: 'a/b', status: 'published', rating: 4.5, body: '', publishedAt: '2026-10-01T08:00:00.000Z' },
	});
	const address = `/__sandbox/reviews/${created.body.id}`;
	expect(await shown()).toEqual(['First']);

	expect(await send('PATCH', address, { title: 'Second', verified: true })).toMatchObject({
		status: 200,
		body: { title: 'Second', author: 'Ada L.', details: { verified: true, recommended: true } },
	});
	expect(await shown()).toEqual(['Second']);
	expect((await send('POST', `${address}/unpublish`)).body.status).toBe('unpublished');
	expect(await shown()).toEqual([]);
	expect((await send('POST', `${address}/publish`)).body.status).toBe('published');
	expect(await shown()).toEqual(['Second']);
	expect((await send('GET', '/__sandbox/products/a%2Fb/reviews')).body.reviews).toHaveLength(1);
	expect((await send('GET', '/__sandbox/reviews?status=unpublished')).body.reviews).toHaveLength(0);
	expect((await send('DELETE', address)).status).toBe(204);
	expect(await shown()).toEqual([]);
	expect((await send('DELETE', address)).status).toBe(404);
});

it('syncs a product over HTTP and lists it with its counts', async () => {
	const { send } = await editable();
	const address = '/__sandbox/products/new%20%F0%9F%A6%8A';
	expect((await send('PUT', address, { name: 'New' })).status).toBe(201);
	expect((await send('PUT', address, { name: 'Newer', category: 'kids' })).status).toBe(200);
	await send('POST', `${address}/reviews`, { rating: 3, status: 'unpublished' });
	expect((await send('GET', '/__sandbox/products')).body.products).toMatchObject([
		{ pid: 'a/b', publishedCount: 0 },
		{ pid: 'new 🦊', name: 'Newer', category: 'kids', publishedCount: 0, unpublishedCount: 1, average: 0 },
	]);
});

it('adds questions', async () => {
	const sandbox = await testSandbox({ products: [PRODUCT, { pid: 'c', name: 'C' }], now: () => NOW });
	sandbox.store.addQuestion('c', { question: 'Why?', answer: 'Because.', alsoAbout: ['a/b'] });
	const body = await (await callsTo(sandbox).productReviewData('a/b')).json();
	expect(body).toMatchObject({
		dataCountQueAns: 1,
		dataQueAns: [
			{
				que: 'Why?',
				ans: 'Because.',
				ia: true,
				arrpid: [
					{ pid: 'c', pn: 'C' },
					{ pid: 'a/b', pn: 'A' },
				],
			},
		],
	});
});

it.each([
	[{ rating: 6 }, /^rating: /],
	[{ rating: 4.3 }, /^rating: /],
	[{}, /^rating: /],
	[{ rating: 5, titel: 'x' }, /titel/],
	[{ rating: 5, title: 7 }, /^title: /],
	[{ rating: 5, publishedAt: 'yesterday' }, /^publishedAt: /],
	[[], /^value: /],
])('refuses the review %j with a clear message', async (review, message) => {
	const { send } = await editable();
	const { status, body } = await send('POST', '/__sandbox/products/a%2Fb/reviews', review);
	expect([status, body.success]).toEqual([400, false]);
	expect(body.message).toMatch(message);
});

it('knows what it does not know', async () => {
	const { send, store } = await editable();
	expect((await send('POST', '/__sandbox/products/zz/reviews', { rating: 5 })).status).toBe(404);
	expect((await send('PATCH', '/__sandbox/reviews/zz', {})).status).toBe(404);
	expect((await send('GET', '/__sandbox/products/%ff/reviews')).status).toBe(400);
	expect((await send('GET', '/__sandbox/reviews?status=x')).status).toBe(400);
	expect((await send('GET', '/nowhere')).status).toBe(404);
	expect(() => store.publish('zz')).toThrow(NotFoundError);
});

it('keeps texts as they are: control characters, half a surrogate pair replaced', async () => {
	const { store } = await editable();
	const body = 'nul \u0000 tab \t ﷽ \u202e end';
	const { id } = store.createReview('a/b', { rating: 5, body, title: 'half \ud83d' });
	const [review] = store.listReviews();
	expect(review).toMatchObject({ id, body, title: 'half \ufffd' });
	store.editReview(id, { publishedAt: null });
	expect(store.listReviews()[0]?.publishedAt).toBeNull();
});
