import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { checkHtml } from 'product-reviews-test-support/check-html';
import { findViolations } from 'product-reviews-test-support/find-violations';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { type Browser, openBrowser } from 'product-reviews-test-support/open-browser';
import { openPage } from 'product-reviews-test-support/open-page';
import { needs } from 'product-reviews-test-support/programs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createReportPage } from '../../../cli/src/report-page/create-report-page.js';
import type { BuildReport } from '../../src/report/build-report.js';
import { reportOf, variedReport } from '../support/unit/report.js';

const { folder, remove } = createLastingFolder('report-page');
let browser: Browser;

const write = (name: string, report: BuildReport) => {
	const file = join(folder, name);
	writeFileSync(file, createReportPage(report));
	return file;
};

/** A report with something of everything, one whose words are long, and one of a build that asked for nothing. */
const FILES = [
	write('varied.html', variedReport()),
	write('long.html', longReport()),
	write(
		'empty.html',
		reportOf(() => {}),
	),
];

function longReport(): BuildReport {
	const pid = 'a-product-id-that-has-no-place-to-break-'.repeat(5);
	return reportOf(
		({ reviews }) => {
			reviews.addRequest(pid, 90_000, 1);
			reviews.settle(pid, 'failed', `https://reviews.example/${pid}`);
		},
		{
			pagesOf: () => [`/products/${pid}/`],
			audit: { pages: 1, findings: [{ rule: 'schema-twice', page: `/${pid}/`, pids: [pid] }] },
		},
	);
}

beforeAll(async () => {
	browser = await openBrowser();
});

afterAll(async () => {
	await browser?.close();
	remove();
});

test.each(
	FILES.flatMap((file) => [360, 1280].map((width) => [file.slice(folder.length + 1), width, file] as const)),
)(
	'%s, %i pixels wide: fits, loads nothing, and axe finds nothing, light or dark',
	async (_name, width, file) => {
		const url = pathToFileURL(file).href;
		const { page, requests, problems } = await openPage(browser.context, url, width);
		expect(requests).toEqual([url]);
		expect(problems).toEqual([]);
		const backgrounds = new Set<string>();
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({ colorScheme });
			backgrounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
			const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
			expect(excess).toBeLessThanOrEqual(0);
			expect(await findViolations(page)).toEqual([]);
		}
		expect(backgrounds.size).toBe(2);
		await page.close();
	},
);

test('the bars are as long as their numbers', async () => {
	const { page } = await openPage(browser.context, pathToFileURL(FILES[0] ?? '').href, 1280);
	const rows = await page.locator('.chart tbody tr').evaluateAll((elements) =>
		elements.map((row) => ({
			count: Number(row.querySelector('.number')?.textContent),
			width: row.querySelector('rect')?.getBoundingClientRect().width ?? 0,
		})),
	);
	const most = Math.max(...rows.map(({ count }) => count));
	const longest = Math.max(...rows.map(({ width }) => width));
	expect(longest).toBeGreaterThan(300);
	for (const { count, width } of rows) expect(width / longest).toBeCloseTo(count / most, 1);
	await page.close();
});

test('the Nu HTML checker finds nothing', needs('java'), async () => {
	const problems = await checkHtml(FILES);
	expect(problems.filter(({ message }) => !UNHASHED.test(message))).toEqual([]);
});

/** The checker does not compute hashes. Browsers do, and in the tests above the page has its colours. */
const UNHASHED = /^Inline style violates Content Security Policy .*nonce\/hash/;
