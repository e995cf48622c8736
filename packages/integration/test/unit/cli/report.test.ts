import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { describe, expect, test } from 'vitest';
import { VERSION } from '../../../src/constants.js';
import type { BuildReport } from '../../../src/project/report.js';
import type { ProductResults } from '../../../src/reviews/results.js';
import { printed } from '../../support/cli/command.js';
import { NO_REQUESTS, reportOf, variedReport } from '../../support/unit/report.js';

const BUILT_AT = Date.parse('2026-11-21T12:00:00Z');

/** A project whose last build wrote a report, or a text in its place. */
function project(report: BuildReport | string) {
	const folder = createFolder();
	const text = typeof report === 'string' ? report : JSON.stringify(report);
	writeFileSync(join(folder, 'product-reviews-report.json'), text);
	const run = (...args: string[]) => printed(join(folder, 'any.db'), ['report', ...args], BUILT_AT + 120_000);
	return { folder, run, read: (name: string) => readFileSync(join(folder, name), 'utf8') };
}

const HOSTILE =
	'"><img src=x onerror=alert(1)></style><script>alert(2)</script>\u001b[31m\u009b2J\u202e\u0000\n&amp;\'';

function hostileReport(): BuildReport {
	const fill = ({ reviews }: ProductResults) => {
		for (const [index, status] of (['fetched', 'stale', 'failed', 'unreadable'] as const).entries()) {
			reviews.addRequest(`${index}${HOSTILE}`, 5, 1);
			reviews.settle(`${index}${HOSTILE}`, status, HOSTILE);
		}
		reviews.settle('\u200b', 'failed', '');
		reviews.addAnswer(`0${HOSTILE}`, { 'text-cut': 1 });
	};
	const findings = [{ rule: 'schema-twice' as const, page: HOSTILE, pids: [HOSTILE] }];
	const report = reportOf(fill, { pagesOf: () => [`/${HOSTILE}/`], audit: { pages: 1, findings } });
	return { ...report, version: HOSTILE, builtAt: HOSTILE };
}

test('says which build it is of, how it went, and for which products the service failed', async () => {
	const fill = ({ reviews }: ProductResults) => {
		reviews.settle('p-1', 'fetched');
		reviews.settle('p-2\u001b[31m', 'stale', '503\n\u202e');
	};
	const requests = { ...NO_REQUESTS, total: 2 };
	const report = reportOf(fill, { requests, fetchMs: 1_000, cache: { bytes: 1, pruned: 0 } });
	expect((await project(report).run()).replace(VERSION, '<version>')).toMatchInlineSnapshot(`
		"Built at 2026-11-21T12:00:00.000Z (2 min ago) with version <version>
		2 products in 1.0 s: 1 fetched, 1 stale
		2 requests (0 for reviews), 0 B
		2 pages with reviews
		Cache: 1 B
		Report: "product-reviews-report.json"
		The service failed for:
		  stale "p-2[31m" 503
		"
	`);
	expect(await project(reportOf(() => {})).run()).toContain('\nNo page and no list requested reviews.\n');
});

test('--json prints all of it, and nothing hostile reaches a terminal', async () => {
	for (const report of [variedReport(), hostileReport()]) {
		const { run } = project(report);
		expect(JSON.parse(await run('--json'))).toEqual(report);
		for (const text of [await run('--json'), await run()])
			for (const character of ['\u001b', '\u009b', '\u202e']) expect(text).not.toContain(character);
	}
});

test('a report that is missing, that is none, or that is too old for a page is an error', async () => {
	const missing = printed(join(createFolder(), 'any.db'), ['report']);
	await expect(missing).rejects.toThrow('There is no report at "product-reviews-report.json".');
	for (const text of ['', 'null', '[]', '{', '{"version":1}'])
		await expect(project(text).run(), text).rejects.toThrow('is not a build report');
	const older = project(JSON.stringify({ ...variedReport(), audit: undefined }));
	await expect(older.run('--html')).rejects.toThrow('does not have the form that version');
});

describe('--html', () => {
	/** The page of a report, and the visible text of its sections. */
	async function pageOf(report: BuildReport) {
		const { run, read } = project(report);
		await run('--html');
		const page = read('product-reviews-report.html');
		const textOf = (id: string) => {
			const [, text = ''] = new RegExp(`<section id="${id}".*?</h2>(.*?)</section>`, 's').exec(page) ?? [];
			return text.replace(/(?:<[^>]+>|\s)+/g, ' ').trim();
		};
		return { page, textOf };
	}

	test('writes a page beside the report or at the given path, and says if it cannot', async () => {
		const { folder, run } = project(variedReport());
		expect(await run('--html')).toMatch(/^Wrote "product-reviews-report\.html", [\d.]+ KB\n$/);
		expect(await run('--html', 'other.html')).toMatch(/^Wrote "other\.html", /);
		for (const name of ['product-reviews-report.html', 'other.html'])
			expect(existsSync(join(folder, name))).toBe(true);
		await expect(run('--html', 'no/such/folder.html')).rejects.toThrow(
			'The page could not be written to "no/such/folder.html": open failed with ENOENT.',
		);
	});

	test('says of every part of a build how it went', async () => {
		const { page, textOf } = await pageOf(variedReport());
		const counts = { failed: '2 failed responses', stale: '2 stale responses', audit: '2 audit findings' };
		for (const [id, text] of Object.entries({ ...counts, dropped: '2 products with dropped parts' }))
			expect(page).toContain(`<a href="#${id}">${text}</a>`);
		for (const [id, text] of [
			['states', 'fetched the service sent reviews 25 1'],
			['failed', 'p-13 reviews no answer within 10 s, in 5 attempts'],
			['failed', 'p-17 reviews unreadable the answer is not JSON'],
			['stale', 'p-2 review data 502 Bad Gateway On /products/p-2/ , / '],
			['dropped', 'p-5 address that is not http(s) (2)'],
			['audit', 'Add &lt;ProductReviews&gt; or &lt;ReviewList&gt; of the same product.'],
			['audit', '/category/kitchen/ p-1 and 2 other products'],
			['build', 'Pages reused 32 of 40'],
		] as const)
			expect(textOf(id)).toContain(text);
	});

	test('says of a build without trouble, or without reviews, that it is one', async () => {
		const { page } = await pageOf(reportOf(({ reviews }) => reviews.settle('p-1', 'unchanged')));
		for (const text of ['Nothing needs attention.', 'Nothing found on 2 audited pages.'])
			expect(page).toContain(text);
		expect(page).not.toMatch(/id="(?:failed|stale|dropped)"/);
		expect((await pageOf(reportOf(() => {}))).page).toContain('No page and no list requested reviews.');
	});

	test('allows the page its own stylesheet and nothing else, and nothing in it needs more', async () => {
		const { page } = await pageOf(variedReport());
		const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
		const hash = createHash('sha256').update(style).digest('base64');
		expect(page).toContain(
			`content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
		);
		expect(page).not.toMatch(/<script|<link|<img|<iframe| style=| on\w+=|url\(|@import/);
		for (const [, address] of page.matchAll(/ (?:href|src)="([^"]*)"/g)) expect(address).toMatch(/^#/);
	});

	test('writes whatever a stranger wrote as text', async () => {
		const { page } = await pageOf(hostileReport());
		for (const text of ['<img', '<script', '\u202e', '\u0000', '\u001b']) expect(page).not.toContain(text);
		expect(page.match(/<\/style>/g)).toHaveLength(1);
		expect(page).toContain('&lt;script&gt;');
	});

	test.each([
		['10,000 products', 10_000, (index: number) => `product-${index}`, 250_000],
		['products with the worst ids', 2_000, (index: number) => `${index}${'"&\''.repeat(100)}`, 3_000_000],
	])('has a limit for %s, all of which failed', async (_what, number, name, most) => {
		const pids = Array.from({ length: number }, (_, index) => name(index));
		const fill = ({ reviews }: ProductResults) => {
			for (const [index, pid] of pids.entries()) {
				reviews.addRequest(pid, index / 100, 1);
				reviews.settle(pid, index % 2 === 0 ? 'failed' : 'stale', `HTTP 503 ${pid}`);
				reviews.addAnswer(pid, { 'text-cut': 1 });
			}
		};
		const findings = pids.map((pid) => ({ rule: 'schema-twice' as const, page: `/a/${pid}/`, pids: [pid] }));
		const pagesOf = (pid: string) => ['a', 'b', 'c', 'd'].map((folder) => `/${folder}/${pid}/`);
		const { page } = await pageOf(reportOf(fill, { pagesOf, audit: { pages: number, findings } }));
		expect(Buffer.byteLength(page)).toBeLessThan(most);
		for (const more of [number / 2 - 100, number - 100])
			expect(page).toContain(`and ${more.toLocaleString('en')} more, which <code>report --json</code> lists`);
	});
});
