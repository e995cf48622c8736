import { listen } from 'product-reviews-test-support/listen';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { productIds } from '../support/build/service.js';
import { answer } from '../support/service/payload.js';
import { type RawReply, rawJson, rawReply, startRawSockets } from '../support/service/raw-sockets.js';

type Replies = (pid: string) => RawReply;

const good: Replies = (pid) => {
	const { html, jsonld } = answer({ pid });
	return rawJson({ status: 200, pid, dataCount: { prtng: 2, avgrtng: 4.5 }, html, jsonld });
};
const notFound: Replies = () => rawJson({ message: 'There is no product with this pid.' }, '404 Not Found');
const empty: Replies = (pid) =>
	rawJson({ status: 200, pid, dataCount: { prtng: 0, avgrtng: 0 }, html: '', jsonld: '' });
const unreadable: Replies = () => rawReply('200 OK', '{"pid":"p', 'content-type: application/json\r\n');
/** Others about the first products. */
const first =
	(count: number, replies: Replies): Replies =>
	(pid) =>
		Number(pid.slice(2)) <= count ? replies(pid) : good(pid);

/** Answers as the running build says. Shops share it, since what a store holds belongs to its address. */
let reply = good;
const service = await startRawSockets(({ pid }) => reply(pid), listen);

afterAll(() => service.close());

/** A shop with nothing stored. @param pages of its products have one */
function createShop(count: number, { pages = count, fixture = 'store', config = {}, options = {} } = {}) {
	const pids = productIds(count);
	const project = createProject(fixture, {
		service: service.url,
		options: { products: pids, maxAge: 0, retries: 1, ...options },
		config,
		pages: pids.slice(0, pages),
	});
	onTestFinished(project.remove);
	return {
		async build(replies: Replies) {
			reply = replies;
			return { ...(await project.tryBuild()), report: project.report() };
		},
		pagesWithReviews: () =>
			project
				.files()
				.filter((file) => file.startsWith('products/') && project.read(file).includes('Boils fast.')).length,
		invalidate: () => project.command(['cache', 'invalidate', '--all']),
	};
}

test('many answers that nobody can read end a build with nothing stored; a few never do, and cached reviews are shown', async () => {
	const shop = createShop(30, { pages: 10 });
	const cold = await shop.build(first(20, unreadable));
	expect(cold.status).toBe(1);
	expect(cold.output).toContain('The responses for 20 of 30 products cannot be used');
	expect(cold.report.totals).toMatchObject({ fetched: 10, unreadable: 20 });

	const odd = first(2, unreadable);
	const few = await shop.build((pid) => (pid === 'p-7' ? rawReply('999 x', '{}') : odd(pid)));
	expect(few.status, few.output).toBe(0);
	expect(shop.pagesWithReviews()).toBe(7);
	expect(few.output).toContain('27 fetched, 3 unreadable');
	expect(few.output).toContain(
		'Answers for 3 products cannot be used, and nothing is cached: no reviews are shown.',
	);
	expect(few.report.products.find(({ pid }: { pid: string }) => pid === 'p-7')).toMatchObject({
		status: 'unreadable',
		reason: expect.stringContaining('999 x after 1 try'),
	});

	const warm = await shop.build(first(20, unreadable));
	expect(warm.status, warm.output).toBe(0);
	expect(shop.pagesWithReviews()).toBe(7);
	expect(warm.output).toContain('Answers for 17 products cannot be used; cached reviews are shown.');
	expect(warm.report.totals).toMatchObject({ fetched: 10, stale: 17, unreadable: 3 });
});

test('a store that loses all reviews at once keeps them until somebody says that it is right; few are believed', async () => {
	const shop = createShop(20);
	await shop.build(good);
	// Each way for half of the products: one that is not seen as a loss would be missing in every number below.
	const kept = await shop.build((pid) => (Number(pid.slice(2)) % 2 ? notFound(pid) : empty(pid)));
	expect(kept.status, kept.output).toBe(0);
	expect(shop.pagesWithReviews()).toBe(20);
	expect(kept.output).toContain(
		'According to the service, 20 products lost all reviews since the last build.',
	);
	expect(kept.report.totals).toMatchObject({ stale: 20, missing: 0 });
	const few = await shop.build(first(4, notFound));
	expect(few.report.totals).toMatchObject({ missing: 4, fetched: 16 });
	expect(shop.pagesWithReviews()).toBe(16);

	await shop.invalidate();
	const right = await shop.build(notFound);
	expect(right.status, right.output).toBe(0);
	expect(right.report.totals).toMatchObject({ missing: 20, stale: 0 });
	expect(shop.pagesWithReviews()).toBe(0);
});

test('by increments, pages whose reviews are kept are taken from the cache, and findings about them are said again', async () => {
	const shop = createShop(20, {
		fixture: 'incremental-store',
		config: { experimental: { incrementalBuild: true } },
		options: { display: 'hidden' },
	});
	const before = await shop.build(good);
	expect(before.status, before.output).toBe(0);
	expect(before.report.audit.findings).toHaveLength(20);
	const kept = await shop.build(notFound);
	expect(kept.report.pages.incremental).toMatchObject({ keyed: 23, rendered: 0 });
	expect(shop.pagesWithReviews()).toBe(20);
	expect(kept.report.audit.findings).toEqual(expect.arrayContaining(before.report.audit.findings));
	expect(kept.output).toContain('reviews are in the source of the page, but nobody can see them');
});
