import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, it } from 'vitest';
import { NotFoundError, startSandbox } from '../../src/index.js';
import { readCrawlerBlock } from '../support/crawler-block.js';
import { callsTo, testSandbox } from '../support/test-sandbox.js';

const NOW = Date.UTC(2026, 9, 1, 8);
const PRODUCT = { pid: 'a/b', name: 'A' };

async function editable() {
	const sandbox = await testSandbox({ products: [PRODUCT], now: () => NOW });
	const { crawlerReviews } = callsTo(sandbox);
	const send = async (method: string, path: string, body?: unknown) => {
		const response = await fetch(`${sandbox.url}/__sandbox/${path}`, {
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
	const first = { rating: 4.5, title: 'First', author: 'Ada L.' };
	const created = await send('POST', 'products/a%2Fb/reviews', first);
	const publishedAt = '2026-10-01T08:00:00.000Z';
	const body = { ...first, pid: 'a/b', status: 'published', body: '', publishedAt };
	expect(created).toMatchObject({ status: 201, body });
	const address = `reviews/${created.body.id}`;
	expect(await shown()).toEqual(['First']);

	expect(await send('PATCH', address, { title: 'Second', verified: true })).toMatchObject({
		status: 200,
		body: { title: 'Second', author: 'Ada L.', verified: true, recommended: true },
	});
	expect(await shown()).toEqual(['Second']);
	expect((await send('POST', `${address}/unpublish`)).body.status).toBe('unpublished');
	expect(await shown()).toEqual([]);
	expect((await send('POST', `${address}/publish`)).body.status).toBe('published');
	expect(await shown()).toEqual(['Second']);
	expect((await send('GET', 'products/a%2Fb/reviews')).body.reviews).toHaveLength(1);
	expect((await send('GET', 'reviews?status=unpublished')).body.reviews).toHaveLength(0);
	expect((await send('DELETE', address)).status).toBe(204);
	expect(await shown()).toEqual([]);
	expect((await send('DELETE', address)).status).toBe(404);
});

it('syncs a product over HTTP and lists it with its counts', async () => {
	const { send } = await editable();
	const address = 'products/new%20%F0%9F%A6%8A';
	expect((await send('PUT', address, { name: 'New' })).status).toBe(201);
	expect((await send('PUT', address, { name: 'Newer', category: 'kids' })).status).toBe(200);
	await send('POST', `${address}/reviews`, { rating: 3, status: 'unpublished' });
	expect((await send('GET', 'products')).body.products).toMatchObject([
		{ pid: 'a/b', publishedCount: 0 },
		{ pid: 'new 🦊', name: 'Newer', category: 'kids', publishedCount: 0, unpublishedCount: 1, average: 0 },
	]);
});

it('adds questions, about several products and over HTTP, too', async () => {
	const { send, store, ...sandbox } = await editable();
	store.addProduct({ pid: 'c', name: 'C' });
	store.addQuestion('c', { question: 'Why?', answer: 'Because.', alsoAbout: ['a/b'] });
	const arrpid = [
		{ pid: 'c', pn: 'C' },
		{ pid: 'a/b', pn: 'A' },
	];
	expect(await (await callsTo(sandbox).productReviewData('a/b')).json()).toMatchObject({
		dataCountQueAns: 1,
		dataQueAns: [{ que: 'Why?', ans: 'Because.', ia: true, arrpid }],
	});
	expect((await send('POST', 'products/a%2Fb/questions', { question: 'How?' })).status).toBe(201);
	const { dataCountQueAns } = await (await callsTo(sandbox).productReviewData('a/b')).json();
	expect(dataCountQueAns).toBe(2);
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
	const { status, body } = await send('POST', 'products/a%2Fb/reviews', review);
	expect([status, body.success]).toEqual([400, false]);
	expect(body.message).toMatch(message);
});

it('knows what it does not know', async () => {
	const { send, store } = await editable();
	expect((await send('POST', 'products/zz/reviews', { rating: 5 })).status).toBe(404);
	expect((await send('PATCH', 'reviews/zz', {})).status).toBe(404);
	expect((await send('GET', 'products/%ff/reviews')).status).toBe(400);
	expect((await send('GET', 'reviews?status=x')).status).toBe(400);
	expect((await send('GET', 'nowhere')).status).toBe(404);
	expect(() => store.publish('zz')).toThrow(NotFoundError);
});

it('keeps texts as they are: control characters, half a surrogate pair replaced', async () => {
	const { store } = await editable();
	const body = 'nul \u0000 tab \t ﷽ \u202e end';
	const { id } = store.createReview('a/b', { rating: 5, body, title: 'half \ud83d' });
	expect(store.listReviews()).toMatchObject([{ id, body, title: 'half \ufffd' }]);
	store.editReview(id, { publishedAt: null });
	expect(store.listReviews()[0]?.publishedAt).toBeNull();
});

it('a data file survives a restart, and is not seeded again', async () => {
	const data = join(createFolder(), 'data.sqlite');
	const first = await startSandbox({ data });
	const reviewsBefore = first.store.listReviews().length;
	const [review] = first.store.listReviews({ pid: 'p-1' });
	first.store.deleteReview(review?.id ?? '');
	first.store.createReview('p-17', { rating: 5, title: 'Kept' });
	await first.close();

	const extra = { pid: 'p-1', name: 'Another name', reviews: 5 };
	const second = await testSandbox({ data, seed: 7, products: [extra, { ...extra, pid: 'extra' }] });
	expect(second.store.listReviews()).toHaveLength(reviewsBefore + 5);
	expect(second.store.listReviews({ pid: 'p-17' })).toMatchObject([{ title: 'Kept' }]);
	expect(second.store.listProducts()[0]?.name).toBe('Enamel Kettle 1.2 l');
});

it('a data file that is no database is refused', async () => {
	const data = join(createFolder(), 'data.sqlite');
	await writeFile(data, 'This is a text, and longer than the header of a database file would be.'.repeat(20));
	await expect(startSandbox({ data })).rejects.toThrow(/cannot use the data file .*: file is not a database/);
});
