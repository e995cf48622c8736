import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createFolder } from 'product-reviews-test-support/folder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { goodReply, startShops } from '../support/build/shops.js';
import { rawJson, rawReply } from '../support/service/raw-sockets.js';

const gateway = () =>
	rawReply('404 Not Found', '<html><center>nginx</center></html>', 'content-type: text/html\r\n');
const notFound = () => rawJson({ message: 'There is no product with this pid.' }, '404 Not Found');
const empty = (pid: string) =>
	rawJson({ status: 200, pid, dataCount: { prtng: 0, avgrtng: 0 }, html: '', jsonld: '' });
const unreadable = () => rawReply('200 OK', '{"pid":"p', 'content-type: application/json\r\n');

/** A shop where 3 products are few. Its pages are of the first products, which is where things go wrong. */
const LARGE = { count: 300, pages: 10 };

let shops: Awaited<ReturnType<typeof startShops>>;

beforeAll(async () => {
	shops = await startShops();
});

afterAll(() => shops?.close());

test('one product of 300 answers 999: with nothing stored it is left out, later its stored reviews are shown', async () => {
	const shop = shops.create(LARGE);
	const odd = (pid: string) => (pid === 'p-7' ? rawReply('999 x', '{}') : goodReply(pid));
	shop.answers(odd);
	const cold = await shop.build();
	expect(cold.status, cold.output).toBe(0);
	expect(shop.pagesWithReviews()).toBe(9);
	expect(cold.output).toContain(
		'Answers for 1 product cannot be used, and nothing is stored: no reviews are shown. Products: "p-7".',
	);
	expect(cold.output).toContain('999 x after 1 try');
	expect(cold.report.totals).toMatchObject({ fetched: 299, failed: 0, unreadable: 1 });
	expect(cold.report.products.find(({ pid }: { pid: string }) => pid === 'p-7').status).toBe('unreadable');

	shop.answers(goodReply);
	await shop.build();
	shop.answers(odd);
	const warm = await shop.build();
	expect(warm.status).toBe(0);
	expect(shop.pagesWithReviews()).toBe(10);
	expect(warm.output).toContain('cannot be used; stored reviews are shown.');
	expect(warm.report.totals).toMatchObject({ fetched: 299, stale: 1 });
});

test("a gateway's 404 for every product of a warm store: pages keep their reviews, and the log says why", async () => {
	const shop = await shops.createWarm();
	shop.answers(gateway);
	const { status, output, report } = await shop.build();
	expect(status, output).toBe(0);
	expect(shop.pagesWithReviews()).toBe(20);
	expect(report.totals).toMatchObject({ stale: 20, missing: 0 });
	expect(output).toContain('404 from something other than the service');
	expect(output).toContain('stored reviews are shown');
	expect((await shop.build({ onError: 'fail' })).status).toBe(1);
	shop.answers(goodReply);
	expect((await shop.build()).report.totals).toMatchObject({ fetched: 20 });
});

test("a gateway's 404 for every product and nothing stored ends the build, however few products there are", async () => {
	const shop = shops.create({ count: 4 });
	shop.answers(gateway);
	const { status, output } = await shop.build();
	expect(status).toBe(1);
	expect(output).toContain('404 from something other than the service');
});

describe('a store that loses all reviews at once', () => {
	// Each way for half of the products: one that is not seen as a loss would be missing in every number below.
	test('keeps them, and says so, until somebody says that it is right: by a 404, or by an empty payload', async () => {
		const shop = await shops.createWarm();
		shop.answers((pid) => (Number(pid.slice(2)) % 2 ? notFound() : empty(pid)));
		for (let build = 0; build < 2; build++) {
			const { status, output, report } = await shop.build();
			expect(status, output).toBe(0);
			expect(shop.pagesWithReviews()).toBe(20);
			expect(output).toContain(
				'According to the service, 20 products lost all reviews since the last build.',
			);
			expect(report.totals).toMatchObject({ stale: 20, missing: 0 });
		}
		expect((await shop.build({ onError: 'fail' })).status).toBe(1);
		expect((await shop.build({ onError: 'omit' })).report.totals).toMatchObject({ stale: 20 });

		shop.invalidate();
		const right = await shop.build();
		expect(right.status).toBe(0);
		expect(right.report.totals).toMatchObject({ missing: 20, stale: 0 });
		expect(shop.pagesWithReviews()).toBe(0);
	});

	test('is believed of few products: 4 of 20', async () => {
		const shop = await shops.createWarm();
		const gone = new Set(shop.pids.slice(0, 4));
		shop.answers((pid) => (gone.has(pid) ? notFound() : goodReply(pid)));
		const { report } = await shop.build();
		expect(report.totals).toMatchObject({ missing: 4, fetched: 16 });
		expect(shop.pagesWithReviews()).toBe(16);
	});
});

describe('answers that cannot be read', () => {
	const broken = (count: number) => (pid: string) =>
		Number(pid.slice(2)) <= count ? unreadable() : goodReply(pid);

	test('3 of 300 never end a build', async () => {
		const shop = shops.create(LARGE);
		shop.answers(broken(3));
		const { status, output, report } = await shop.build();
		expect(status, output).toBe(0);
		expect(shop.pagesWithReviews()).toBe(7);
		expect(report.totals).toMatchObject({ fetched: 297, unreadable: 3 });
		expect(output).toContain('297 fetched, 3 unreadable');
		expect(output).toContain('Answers for 3 products cannot be used, and nothing is stored');
		expect((await shop.build({ onError: 'fail' })).status).toBe(1);
	});

	test('200 of 300 end a build that has nothing stored, and stored reviews are shown in one that has', async () => {
		const shop = shops.create(LARGE);
		shop.answers(broken(200));
		const cold = await shop.build();
		expect(cold.status).toBe(1);
		expect(cold.output).toContain('The answers for 200 of 300 products cannot be used');
		expect(cold.report.totals).toMatchObject({ fetched: 100, unreadable: 200 });

		shop.answers(goodReply);
		await shop.build();
		shop.answers(broken(200));
		const warm = await shop.build();
		expect(warm.status).toBe(0);
		expect(shop.pagesWithReviews()).toBe(10);
		expect(warm.output).toContain('Answers for 200 products cannot be used; stored reviews are shown.');
	});
});

describe('the thread that asks dies', () => {
	/** Node loads it into every thread: it ends the one that asks the service, so many times. */
	const killing = (times: number) => {
		const folder = createFolder('killed');
		const file = join(folder, 'kill.mjs');
		writeFileSync(
			file,
			`import { readdirSync, writeFileSync } from 'node:fs';
			import { workerData } from 'node:worker_threads';
			const deaths = readdirSync(${JSON.stringify(folder)}).length - 1;
			if (workerData?.client && deaths < ${times}) setTimeout(() => {
				writeFileSync(${JSON.stringify(folder)} + '/' + deaths, '');
				throw new Error('killed by the test');
			}, 150);`,
		);
		return { NODE_OPTIONS: `--import ${pathToFileURL(file)}` };
	};
	const SLOW = { timeout: '20s', concurrency: 2 };

	test('once: another one is asked, every page is whole, and the log says so', async () => {
		const shop = shops.create({ count: 40, options: SLOW });
		let count = 0;
		shop.answers((pid) => (++count <= 2 ? 'silence' : goodReply(pid)));
		const { status, output } = await shop.build({}, killing(1));
		expect(status, output).toBe(0);
		expect(shop.pagesWithReviews()).toBe(40);
		expect(output).toMatch(
			/The thread that asks the service ended \(killed by the test\)\. \d+ requests? will be repeated on a new one\./,
		);
	});

	test('twice: what is stored is shown, and the log says so', async () => {
		const shop = await shops.createWarm();
		shop.answers(() => 'silence');
		const { status, output, report } = await shop.build(SLOW, killing(2));
		expect(status, output).toBe(0);
		expect(shop.pagesWithReviews()).toBe(20);
		expect(report.totals).toMatchObject({ stale: 20 });
		expect(output).toContain('The thread that asks the service ended again (killed by the test)');
	});
});

describe('with experimental.incrementalBuild', () => {
	const SHOP = { fixture: 'incremental-store', config: { experimental: { incrementalBuild: true } } };

	test('pages with a finding of the audit are taken from the cache, and the finding is said again', async () => {
		const shop = shops.create({ ...SHOP, count: 5, options: { display: 'hidden' } });
		const first = await shop.build();
		expect(first.status, first.output).toBe(0);
		expect(first.report.audit.findings).toHaveLength(5);
		const second = await shop.build();
		expect(second.report.pages.incremental).toMatchObject({ keyed: 8, rendered: 0 });
		expect(second.report.audit.findings).toEqual(expect.arrayContaining(first.report.audit.findings));
		expect(second.output).toContain('reviews are in the source of the page, but nobody can see them');
		expect((await shop.build({ audit: 'error' })).status).toBe(1);
	});

	test('pages whose reviews are kept are taken from the cache', async () => {
		const shop = shops.create({ ...SHOP, count: 20 });
		await shop.build();
		shop.answers(notFound);
		const kept = await shop.build();
		expect(kept.report.pages.incremental).toMatchObject({ keyed: 23, rendered: 0 });
		expect(shop.pagesWithReviews()).toBe(20);
		shop.invalidate();
		await shop.build();
		expect(shop.pagesWithReviews()).toBe(0);
	});
});
