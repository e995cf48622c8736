import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, findViolations, openBrowser, openPage } from 'product-reviews-test-support/browser';
import { checkHtml } from 'product-reviews-test-support/check-html';
import { needs } from 'product-reviews-test-support/programs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { productIds, startShop } from '../support/build/service.js';

const LONG = 'a-product-id-that-has-no-place-to-break-'.repeat(5);
const HOSTILE = '"><script>window.wasRun=1</script><img src=x onerror="window.wasRun=1">';
const PIDS = [...productIds(15), LONG, HOSTILE];
/** The report of a build with failures, and that of a build which asked for nothing. */
const NAMES = ['varied', 'empty'];

const { project, service } = await startShop('store', PIDS, { options: { retries: 0, onError: 'omit' } });
let browser: Browser;

beforeAll(async () => {
	for (const pid of PIDS.slice(0, 5)) service.faults.add({ kind: 'latency', ms: 300, pid });
	for (const pid of ['p-13', LONG, HOSTILE]) service.faults.add({ kind: 'status', status: 500, pid });
	for (const name of NAMES) {
		await project.build();
		const { status, errors } = await project.command(['report', '--html', `${name}.html`]);
		expect(status, errors).toBe(0);
		if (name !== 'varied') break;
		service.faults.clear();
		await project.build();
	}
	browser = await openBrowser();
});

afterAll(() => browser?.close());

const fileOf = (name: string) => join(project.root, `${name}.html`);

test.each(NAMES.flatMap((name) => [360, 1280].map((width) => [name, width] as const)))(
	'%s, %i pixels wide: fits, loads nothing, and axe finds nothing, light or dark',
	async (name, width) => {
		const url = pathToFileURL(fileOf(name)).href;
		const { page, requests, problems } = await openPage(browser.context, url, width);
		expect(requests).toEqual([url]);
		expect(problems).toEqual([]);
		// Only products that are not as they should be are named.
		for (const pid of name === 'varied' ? [LONG, HOSTILE] : [])
			expect(await page.getByText(pid.slice(0, 50)).count()).toBeGreaterThan(0);
		expect(await page.evaluate(() => 'wasRun' in window)).toBe(false);
		const backgrounds = new Set<string>();
		for (const colorScheme of ['light', 'dark'] as const) {
			await page.emulateMedia({ colorScheme });
			backgrounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
			const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
			expect(excess).toBeLessThanOrEqual(0);
			// No other rule depends on colors.
			const rules = colorScheme === 'dark' ? ['color-contrast'] : undefined;
			expect(await findViolations(page, undefined, rules)).toEqual([]);
		}
		expect(backgrounds.size).toBe(2);
		await page.close();
	},
);

test('the Nu HTML checker finds nothing', needs('java'), async () => {
	const problems = await checkHtml(NAMES.map(fileOf));
	// The checker does not compute hashes. Browsers do, and in the tests above the page has its colors.
	const unhashed = /^Inline style violates Content Security Policy .*nonce\/hash/;
	expect(problems.filter(({ message }) => !unhashed.test(message))).toEqual([]);
});
