import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Review, type Sandbox, SEED_PRODUCTS, startSandbox } from '../../../src/index.js';
import { callsTo, testSandbox } from '../../support/test-sandbox.js';

let sandbox: Sandbox;
let published: readonly Review[];
beforeAll(async () => {
	sandbox = await startSandbox();
	published = sandbox.store.listReviews({ status: 'published' });
});
afterAll(() => sandbox.close());

it('has 60 products, ten of each category', () => {
	expect(SEED_PRODUCTS.map(({ pid }) => pid)).toEqual(
		Array.from({ length: 60 }, (_, index) => `p-${index + 1}`),
	);
	expect(new Set(SEED_PRODUCTS.map(({ slug }) => slug)).size).toBe(60);
	for (const category of ['kitchen', 'home', 'garden', 'outdoor', 'desk', 'kids']) {
		expect(SEED_PRODUCTS.filter((product) => product.category === category)).toHaveLength(10);
	}
});

it('has the counts that demos and tests rely on', () => {
	const counts = new Map(sandbox.store.listProducts().map((product) => [product.pid, product]));
	expect(counts.get('p-1')).toMatchObject({ publishedCount: 24 });
	expect(counts.get('p-33')).toMatchObject({ publishedCount: 300 });
	expect(counts.get('p-49')).toMatchObject({ publishedCount: 0, unpublishedCount: 4 });
	const without = [...counts.values()].filter(({ publishedCount }) => publishedCount === 0);
	expect(without.map(({ pid }) => pid)).toEqual(['p-17', 'p-29', 'p-37', 'p-46', 'p-49', 'p-59']);
	for (const { publishedCount, pid } of counts.values()) {
		if (pid !== 'p-33') expect(publishedCount).toBeLessThanOrEqual(40);
	}
});

it('is mostly pleased, and dated within its years', () => {
	const pleased = published.filter(({ rating }) => rating >= 4).length / published.length;
	expect(pleased).toBeGreaterThan(0.75);
	expect(pleased).toBeLessThan(0.95);
	for (const { publishedAt, updatedAt } of published) {
		expect(updatedAt >= '2024-01-01' && updatedAt < '2026-11-01').toBe(true);
		expect(publishedAt === null || (publishedAt >= '2024-01-01' && publishedAt <= updatedAt)).toBe(true);
	}
});

it('holds what real reviews hold', () => {
	const some = (test: (review: Review) => boolean) => expect(published.some(test)).toBe(true);
	some(({ body }) => body.length > 6_000);
	some(({ body }) => /^\S+$/.test(body));
	some(({ body, title }) => body === '' && title === '');
	some(({ author }) => author === '');
	some(({ publishedAt }) => publishedAt === null);
	some(({ rating }) => rating === 4.5);
	some(({ body }) => body.includes('<b>bold</b>'));
	some(({ body }) => body.includes('\n') && body.includes('&'));
	for (const script of [
		/\p{Script=Han}/u,
		/\p{Script=Arabic}/u,
		/\p{Script=Hebrew}/u,
		/\p{Emoji_Presentation}/u,
		/ß/,
		/ç/,
		/¡/,
		/ã/,
	]) {
		some(({ body }) => script.test(body));
	}
});

it('leaves no slot open and repeats no longer text within a product', () => {
	const texts = new Set<string>();
	for (const { pid, title, body } of published) {
		expect(`${title} ${body}`).not.toMatch(/\{(?:it|them|s|thing|[Pp]erson|duration|season)\}/);
		expect(texts.has(`${pid} ${body}`) && body.length > 30).toBe(false);
		texts.add(`${pid} ${body}`);
	}
});

it('is the same for the same seed, byte by byte, and another for another', async () => {
	const bytes = async (other: Sandbox) => {
		const { crawlerReviews, productReviewData, starRating } = callsTo(other);
		const pids = ['p-1', 'p-5', 'p-33', 'p-49'];
		const answers = pids.flatMap((pid) => [crawlerReviews(pid), productReviewData(pid)]);
		const all = await Promise.all([starRating(SEED_PRODUCTS.map(({ pid }) => pid)), ...answers]);
		const texts = await Promise.all(all.map((response) => response.text()));
		// Media are at the sandbox's own address, and each has a port of its own.
		return texts.map((text) => text.replaceAll(other.url, 'http://sandbox.test'));
	};
	const expected = await bytes(sandbox);
	expect(await bytes(await testSandbox({ seed: 1001 }))).toEqual(expected);
	expect(await bytes(await testSandbox({ seed: 1002 }))).not.toEqual(expected);
});

it('makes up reviews for further products', async () => {
	const products = Array.from({ length: 200 }, (_, index) => ({ pid: `x-${index}`, name: 'X', reviews: 20 }));
	const { store } = await testSandbox({ products });
	expect(store.listReviews()).toHaveLength(4_000);
});
