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
	const calls = callsTo(sandbox);
	const shown = async () => {
		const { html } = await (await calls.crawlerReviews(PRODUCT.pid)).json();
		return readCrawlerBlock(html).items.map(({ title }) => title);
	};
	return { ...sandbox, ...calls, shown };
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
	const { send, store, productReviewData } = await editable();
	store.addProduct({ pid: 'c', name: 'C' });
	store.addQuestion('c', { question: 'Why?', answer: 'Because.', alsoAbout: ['a/b'] });
	expect((await send('POST', 'products/a%2Fb/questions', { question: 'How?' })).status).toBe(201);
	const arrpid = ['c', 'a/b'].map((pid) => expect.objectContaining({ pid, pn: pid === 'c' ? 'C' : 'A' }));
	const dataQueAns = expect.arrayContaining([
		expect.objectContaining({ que: 'Why?', ans: 'Because.', ia: true, arrpid }),
		expect.objectContaining({ que: 'How?', ans: '', ia: false }),
	]);
	expect(await (await productReviewData('a/b')).json()).toMatchObject({ dataCountQueAns: 2, dataQueAns });
});

it.each([
	['POST', { rating: 6 }, /^rating: /],
	['POST', { rating: 4.3 }, /^rating: /],
	['POST', { rating: 5, titel: 'x' }, /titel/],
	['POST', { rating: 5, publishedAt: 'yesterday' }, /^publishedAt: /],
	['POST', [], /^value: /],
	['PATCH', { rating: 6 }, /^rating: /],
	['PATCH', { pid: 'c' }, /pid/],
	['PATCH', [1], /^value: /],
])('refuses %s of the review %j with a message, and leaves all as it is', async (method, given, message) => {
	const { send, store } = await editable();
	const { id } = store.createReview('a/b', { rating: 2 });
	const address = method === 'POST' ? 'products/a%2Fb/reviews' : `reviews/${id}`;
	const body = { success: false, message: expect.stringMatching(message) };
	expect(await send(method, address, given)).toMatchObject({ status: 400, body });
	expect(store.listReviews()).toMatchObject([{ id, pid: 'a/b', rating: 2, recommended: false }]);
});

it.each([
	['POST', 'products/zz/reviews', { rating: 5 }, 404],
	['PATCH', 'reviews/zz', {}, 404],
	['PUT', 'products/c', [], 400],
	['GET', 'products/%ff/reviews', undefined, 400],
	['GET', 'reviews?status=x', undefined, 400],
	['GET', 'nowhere', undefined, 404],
])('%s %s with %j is %i', async (method, path, body, status) => {
	expect((await (await editable()).send(method, path, body)).status).toBe(status);
});

it('keeps texts as they are: control characters, half a surrogate pair replaced; what is not there is an error', async () => {
	const { store } = await editable();
	const body = 'nul \u0000 tab \t ﷽ \u202e end';
	const { id } = store.createReview('a/b', { rating: 5, body, title: 'half \ud83d' });
	expect(store.listReviews()).toMatchObject([{ id, body, title: 'half \ufffd' }]);
	store.editReview(id, { publishedAt: null });
	expect(store.listReviews()[0]?.publishedAt).toBeNull();
	expect(() => store.publish('zz')).toThrow(NotFoundError);
});

it('another seed deals other reviews, the same each time, and as many as are asked for', async () => {
	const dealt = async (seed: number) => {
		const { store } = await testSandbox({ seed, products: [{ pid: 'x', name: 'X', reviews: 100 }] });
		expect(store.listReviews({ pid: 'x', status: 'published' })).toHaveLength(100);
		expect(store.listReviews({ pid: 'p-49' }).map(({ status }) => status)).toEqual(
			Array(4).fill('unpublished'),
		);
		return store.listReviews().map(({ pid, body }) => [pid, body]);
	};
	const first = await dealt(7);
	expect(await dealt(7)).toEqual(first);
	expect(await dealt(8)).not.toEqual(first);
	// A review that names its product stays with it.
	const bottles = first.filter(([pid, body]) => pid !== 'p-33' && /\bbottle\b/i.test(body ?? ''));
	expect(bottles).toEqual([]);
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
