import type { Page } from 'playwright-core';
import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedSite, serveSite } from '../support/browser/served-site.js';

let service: Sandbox;
let site: ServedSite;
let page: Page;

beforeAll(async () => {
	service = await startSandbox();
	site = await serveSite('product-page', {
		service: service.url,
		pages: ['p-1'],
		// The browser takes the styles by their hash: nothing that the policy does not know of hides the block.
		config: { security: { csp: true }, build: { inlineStylesheets: 'always' } },
	});
	page = await site.context.newPage();
});

afterAll(async () => {
	await site?.close();
	await service?.close();
});

const visit = (display: string) => page.goto(`${site.url}/${display}/`);

test('it is one pixel wide and high, and nothing of it is painted', async () => {
	await visit('hidden');
	expect(await page.locator('style').count()).toBe(1);
	const { width, height, clip } = await page.locator('[data-display="hidden"]').evaluate((block) => {
		const { width, height } = block.getBoundingClientRect();
		return { width, height, clip: getComputedStyle(block).clipPath };
	});
	expect({ width, height, clip }).toEqual({ width: 1, height: 1, clip: 'inset(50%)' });
});

test.each([
	[360, 'ltr'],
	[360, 'rtl'],
	[1280, 'ltr'],
	[1280, 'rtl'],
])('%i pixels wide, %s: everything is where it is without reviews', async (width, direction) => {
	await page.setViewportSize({ width, height: 900 });
	const places: unknown[] = [];
	for (const display of ['without', 'hidden']) {
		await visit(display);
		places.push(await page.evaluate(measure, direction));
	}
	expect(places[1]).toEqual(places[0]);
});

test.each([
	['a page that is as high as its window', ''],
	['a box that scrolls', 'position: relative; height: 100vh; overflow: auto'],
	['a row', 'display: flex; gap: 1rem'],
	['a grid', 'display: grid; gap: 1rem'],
])('as the last thing in %s it adds nothing to be scrolled', async (_where, style) => {
	await visit('hidden');
	const sizes = await page.evaluate(placeLast, style);
	expect(sizes.with).toEqual(sizes.without);
});

/** Runs in the page: where everything is that the reviews are not. */
function measure(direction: string) {
	document.documentElement.dir = direction;
	const { scrollWidth, scrollHeight } = document.documentElement;
	const others = [...document.querySelectorAll('body *')].filter(
		(element) => !element.closest('[data-display="hidden"]') && !/SCRIPT|STYLE/.test(element.tagName),
	);
	const places = others.map((element) => {
		const { x, y, width, height } = element.getBoundingClientRect();
		return `${element.tagName} ${x} ${y} ${width} ${height}`;
	});
	return { scrollWidth, scrollHeight, places };
}

/** Runs in the page: how much there is to scroll with the block as the last thing of a box, and without it. */
function placeLast(style: string) {
	const [block, box, filler] = [
		document.querySelector('[data-display="hidden"]') as Element,
		document.createElement('div'),
		document.createElement('div'),
	];
	box.style.cssText = style;
	filler.style.height = '100vh';
	box.append(filler);
	document.body.replaceChildren(box);
	const size = () =>
		[box, document.documentElement].map(({ scrollWidth, scrollHeight }) => [scrollWidth, scrollHeight]);
	const without = size();
	box.append(block);
	return { with: size(), without };
}
