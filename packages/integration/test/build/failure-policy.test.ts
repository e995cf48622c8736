import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createFolder } from 'product-reviews-test-support/folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { productIds } from '../support/build/service.js';
import { answer } from '../support/service/payload.js';
import { type RawReply, rawJson, rawReply, startRawSockets } from '../support/service/raw-sockets.js';

const CLI = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url));
const REPORT = '.cache/product-reviews/product-reviews-report.json';

const good = (pid: string): RawReply => {
	const { html, jsonld } = answer({ pid });
	return rawJson({ status: 200, pid, dataCount: { prtng: 2, avgrtng: 4.5 }, html, jsonld });
};
const gateway = () =>
	rawReply('404 Not Found', '<html><center>nginx</center></html>', 'content-type: text/html\r\n');
const notFound = () => rawJson({ message: 'There is no product with this pid.' }, '404 Not Found');
const empty = (pid: string) =>
	rawJson({ status: 200, pid, dataCount: { prtng: 0, avgrtng: 0 }, html: '', jsonld: '' });
const unreadable = () => rawReply('200 OK', '{"pid":"p', 'content-type: application/json\r\n');

/** A store of so many products on a service that answers each as it is told. */
async function createShop(count: number, options: Record<string, unknown> = {}, fixture = 'store') {
	const pids = productIds(count);
	let reply: (pid: string) => RawReply = good;
	const { url } = await startRawSockets(({ pid }) => reply(pid));
	const project = createProject(fixture);
	onTestFinished(() => project.remove());
	return {
		pids,
		answers(next: (pid: string) => RawReply) {
			reply = next;
		},
		async build(
			more: Record<string, unknown> = {},
			config: Record<string, unknown> = {},
			environment: Record<string, string> = {},
		) {
			const { status, output } = await project.build({
				service: url,
				options: { products: pids, maxAge: 0, retries: 1, ...options, ...more },
				config,
				pages: pids,
				environment,
			});
			const file = join(project.root, REPORT);
			// A build that a page ends writes none.
			const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
			return { status, output, report };
		},
		pagesWithReviews: () =>
			project
				.files()
				.filter((file) => file.startsWith('products/') && project.read(file).includes('Boils fast.')).length,
		invalidate: () =>
			execFileSync(process.execPath, [CLI, 'invalidate', '--all', '--cache-dir', '.cache/product-reviews'], {
				cwd: project.root,
				encoding: 'utf8',
			}),
	};
}

test('one product of 300 answers 999: with nothing stored it is left out, later its stored reviews are shown', async () => {
	const shop = await createShop(300);
	const odd = (pid: string) => (pid === 'p-7' ? rawReply('999 x', '{}') : good(pid));
	shop.answers(odd);
	const cold = await shop.build();
	expect(cold.status, cold.output).toBe(0);
	expect(shop.pagesWithReviews()).toBe(299);
	expect(cold.output).toContain(
		'Answers for 1 product cannot be used, and nothing is stored: no reviews are shown. Products: "p-7".',
	);
	expect(cold.output).toContain('999 x after 1 try');
	expect(cold.report.totals).toMatchObject({ fetched: 299, failed: 0, unreadable: 1 });
	expect(cold.report.products.find(({ pid }: { pid: string }) => pid === 'p-7').status).toBe('unreadable');

	shop.answers(good);
	await shop.build();
	shop.answers(odd);
	const warm = await shop.build();
	expect(warm.status).toBe(0);
	expect(shop.pagesWithReviews()).toBe(300);
	expect(warm.output).toContain('cannot be used; stored reviews are shown.');
	expect(warm.report.totals).toMatchObject({ fetched: 299, stale: 1 });
});

test("a gateway's 404 for every product of a warm store: pages keep their reviews, and the log says why", async () => {
	const shop = await createShop(20);
	expect((await shop.build()).status).toBe(0);
	shop.answers(gateway);
	const { status, output, report } = await shop.build();
	expect(status, output).toBe(0);
	expect(shop.pagesWithReviews()).toBe(20);
	expect(report.totals).toMatchObject({ stale: 20, missing: 0 });
	expect(output).toContain('404 from something other than the service');
	expect(output).toContain('stored reviews are shown');
	expect((await shop.build({ onError: 'fail' })).status).toBe(1);
	shop.answers(good);
	expect((await shop.build()).report.totals).toMatchObject({ fetched: 20 });
});

test("a gateway's 404 for every product and nothing stored ends the build, however few products there are", async () => {
	const shop = await createShop(4);
	shop.answers(gateway);
	const { status, output } = await shop.build();
	expect(status).toBe(1);
	expect(output).toContain('404 from something other than the service');
});

describe('a store that loses all reviews at once', () => {
	test.each([
		['a 404', notFound],
		['an empty payload', empty],
	])('keeps them, and says so, until somebody says that it is right: %s', async (_how, reply) => {
		const shop = await createShop(20);
		await shop.build();
		shop.answers(reply);
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
		const shop = await createShop(20);
		await shop.build();
		const gone = new Set(shop.pids.slice(0, 4));
		shop.answers((pid) => (gone.has(pid) ? notFound() : good(pid)));
		const { report } = await shop.build();
		expect(report.totals).toMatchObject({ missing: 4, fetched: 16 });
		expect(shop.pagesWithReviews()).toBe(16);
	});
});

describe('answers that cannot be read', () => {
	const broken = (count: number) => (pid: string) =>
		Number(pid.slice(2)) <= count ? unreadable() : good(pid);

	test('3 of 300 never end a build', async () => {
		const shop = await createShop(300);
		shop.answers(broken(3));
		const { status, output, report } = await shop.build();
		expect(status, output).toBe(0);
		expect(shop.pagesWithReviews()).toBe(297);
		expect(report.totals).toMatchObject({ fetched: 297, unreadable: 3 });
		expect(output).toContain('297 fetched, 3 unreadable');
		expect(output).toContain('Answers for 3 products cannot be used, and nothing is stored');
		expect((await shop.build({ onError: 'fail' })).status).toBe(1);
	});

	test('200 of 300 end a build that has nothing stored, and stored reviews are shown in one that has', async () => {
		const shop = await createShop(300);
		shop.answers(broken(200));
		const cold = await shop.build();
		expect(cold.status).toBe(1);
		expect(cold.output).toContain('The answers for 200 of 300 products cannot be used');
		expect(cold.report.totals).toMatchObject({ fetched: 100, unreadable: 200 });

		shop.answers(good);
		await shop.build();
		shop.answers(broken(200));
		const warm = await shop.build();
		expect(warm.status).toBe(0);
		expect(shop.pagesWithReviews()).toBe(300);
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
	const createSlowShop = () => createShop(40, { timeout: '20s', concurrency: 2 });

	test('once: another one is asked, every page is whole, and the log says so', async () => {
		const shop = await createSlowShop();
		let count = 0;
		shop.answers((pid) => (++count <= 2 ? 'silence' : good(pid)));
		const { status, output } = await shop.build({}, {}, killing(1));
		expect(status, output).toBe(0);
		expect(shop.pagesWithReviews()).toBe(40);
		expect(output).toMatch(
			/The thread that asks the service ended \(killed by the test\)\. \d+ requests? will be repeated on a new one\./,
		);
	});

	test('twice: what is stored is shown, and the log says so', async () => {
		const shop = await createSlowShop();
		await shop.build();
		shop.answers(() => 'silence');
		const { status, output, report } = await shop.build({}, {}, killing(2));
		expect(status, output).toBe(0);
		expect(shop.pagesWithReviews()).toBe(40);
		expect(report.totals).toMatchObject({ stale: 40 });
		expect(output).toContain('The thread that asks the service ended again (killed by the test)');
	});
});

describe('with experimental.incrementalBuild', () => {
	const CONFIG = { experimental: { incrementalBuild: true } };

	test('pages with a finding of the audit are taken from the cache, and the finding is said again', async () => {
		const shop = await createShop(5, { display: 'hidden' }, 'incremental-store');
		const first = await shop.build({}, CONFIG);
		expect(first.status, first.output).toBe(0);
		expect(first.report.audit.findings).toHaveLength(5);
		const second = await shop.build({}, CONFIG);
		expect(second.report.pages.incremental).toMatchObject({ keyed: 8, rendered: 0 });
		expect(second.report.audit.findings).toEqual(expect.arrayContaining(first.report.audit.findings));
		expect(second.output).toContain('reviews are in the source of the page, but nobody can see them');
		expect((await shop.build({ audit: 'error' }, CONFIG)).status).toBe(1);
	});

	test('pages whose reviews are kept are taken from the cache', async () => {
		const shop = await createShop(20, {}, 'incremental-store');
		await shop.build({}, CONFIG);
		shop.answers(notFound);
		const kept = await shop.build({}, CONFIG);
		expect(kept.report.pages.incremental).toMatchObject({ keyed: 23, rendered: 0 });
		expect(shop.pagesWithReviews()).toBe(20);
		shop.invalidate();
		await shop.build({}, CONFIG);
		expect(shop.pagesWithReviews()).toBe(0);
	});
});
