import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { serve } from 'product-reviews-playground/serve.mjs';
import { astroIn, runAstro } from 'product-reviews-test-support/astro';
import { type Browser, findViolations, openBrowser, openPage } from 'product-reviews-test-support/browser';
import { checkHtml } from 'product-reviews-test-support/check-html';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { needs } from 'product-reviews-test-support/programs';
import { afterAll, beforeAll, expect, test } from 'vitest';

const DOCS = fileURLToPath(new URL('../..', import.meta.url));
const ASTRO = astroIn(fileURLToPath(new URL('../../..', import.meta.url)));

/** Axe and the checker of html look at one of so many pages, and at one of each kind: what others have of their own is text. */
const EVERY = process.env['TEST_FULL'] === '1' ? 1 : 12;

/** One of so many pages is shown. */
const SHOWN = EVERY === 1 ? 1 : 6;

const KINDS = [
	'/',
	'/start/get-started/',
	'/components/choose/',
	'/example/',
	'/reference/options/',
	'/help/problems/',
];

const { folder, remove } = createLastingFolder('docs');
const site = join(folder, 'dist');
/** What the build printed. */
let output: string;
/** Paths of all pages, with a slash at both ends. */
let paths: readonly string[];
let sample: ReadonlySet<string>;
let server: Awaited<ReturnType<typeof serve>>;
let browser: Browser;

beforeAll(async () => {
	const environment = { DOCS_CACHE_DIR: join(folder, 'cache') };
	const built = await runAstro(ASTRO, ['build', '--outDir', site], { root: DOCS, environment });
	// Such as because of a link that leads nowhere.
	expect(built.status, built.output).toBe(0);
	({ output } = built);
	paths = globSync('**/index.html', { cwd: site })
		.map((file) => `/${file}`.replace(/index\.html$/, ''))
		.sort();
	sample = new Set(paths.filter((path, index) => index % EVERY === 0 || KINDS.includes(path)));
	[server, browser] = await Promise.all([serve(site), openBrowser()]);
});

afterAll(async () => {
	await browser?.close();
	await server?.close();
	remove();
});

test('the build has every kind of page, and its reviews', () => {
	for (const path of KINDS) expect(paths).toContain(path);
	expect(output).toContain('All internal links are valid');
	expect(output).toMatch(/3 products in .*: 2 fetched, 1 without reviews/);
	expect(output).not.toContain('[WARN] [astro-product-reviews]');
});

test('pages fit a phone and load nothing from elsewhere; those of every kind are accessible, light and dark', {
	timeout: 400_000,
}, async () => {
	const found: string[] = [];
	for (const [index, path] of paths.entries()) {
		if (index % SHOWN !== 0 && !sample.has(path)) continue;
		const add = (problem: string) => found.push(`${path}: ${problem}`);
		const { page, requests, problems } = await openPage(browser.context, server.url + path, 360);
		problems.forEach(add);
		requests.filter((url) => !url.startsWith(`${server.url}/`) && !url.startsWith('data:')).forEach(add);
		const width = await page.evaluate(() => document.documentElement.scrollWidth);
		if (width > 360) add(`${width} pixels wide`);
		if (sample.has(path)) {
			await page.waitForFunction(canReachCode);
			await page.evaluate(setTheme, 'light');
			(await findViolations(page)).filter((one) => !isExpressiveCodes(one)).forEach(add);
			// No other rule depends on colors.
			await page.evaluate(setTheme, 'dark');
			(await findViolations(page, undefined, ['color-contrast'])).forEach(add);
		}
		await page.close();
	}
	expect(paths.length).toBeGreaterThan(30);
	expect(found).toEqual([]);
});

test('pages are valid html', needs('java'), async () => {
	const problems = await checkHtml([...sample].map((path) => join(site, path, 'index.html')));
	const found = problems
		.filter(({ severity, message }) => severity === 'error' && !isStarlights(message))
		.map(({ file, message, extract }) => `${relative(site, file)}: ${message} (${extract})`);
	expect(found).toEqual([]);
});

function setTheme(theme: string): void {
	document.documentElement.dataset['theme'] = theme;
}

/** Blocks of code that scroll can be reached by keys as soon as the browser has time for it. */
const canReachCode = () =>
	[...document.querySelectorAll('pre')].every(
		(pre) => pre.scrollWidth <= pre.clientWidth || pre.tabIndex === 0,
	);

/** Expressive Code gives all blocks that scroll the same role, and no name. */
const isExpressiveCodes = (violation: string) => violation.startsWith('landmark-unique: <pre ');

/** Errors in what Starlight and its blocks of code write. */
const STARLIGHTS = [
	'The “aria-hidden” attribute must not be specified on the “script” element.',
	'Element “div” not allowed as child of element “code” in this context.',
	'Element “div” not allowed as child of element “button” in this context.',
	// Tabs, whose list has another role.
	'An “li” element that is a descendant of a “ul”, “ol”, or “menu” element with no explicit “role” value',
	// Names of custom properties such as `--0`.
	'CSS: “--”: Parse Error.',
	// Between the lines of the text to copy.
	'Forbidden code point U+007f.',
];
const isStarlights = (message: string) => STARLIGHTS.some((known) => message.startsWith(known));

test('search finds a page, and the example shows the real components', async () => {
	const { page } = await openPage(browser.context, `${server.url}/`, 1280);
	await page.getByRole('button', { name: 'Search' }).click();
	await page.getByRole('textbox', { name: 'Search' }).fill('deploy hook');
	await page.locator('.pagefind-ui__result-link[href*="/deploy/"]').first().click();
	await page.waitForURL('**/deploy/**');

	await page.goto(`${server.url}/example/`);
	expect(await page.locator('.pr-review-section .pr-review').count()).toBeGreaterThan(0);
	expect(await page.locator('.pr-star-rating').count()).toBeGreaterThan(1);
	await page.locator('.pr-product-reviews summary').click();
	expect(await page.locator('.pr-product-reviews .pr-body').first().isVisible()).toBe(true);
	const schema = await page.locator('script[type="application/ld+json"]').last().textContent();
	expect(JSON.parse(schema ?? '')).toMatchObject({ aggregateRating: { ratingValue: 4, reviewCount: 4 } });
	await page.close();
});
