import { join } from 'node:path';
import { findViolations } from 'product-reviews-test-support/browser';
import { checkHtml } from 'product-reviews-test-support/check-html';
import { needs } from 'product-reviews-test-support/programs';
import { afterAll, describe, expect, test } from 'vitest';
import { serveSite } from '../support/browser/served-site.js';
import { readFiles } from '../support/build/project.js';

const site = await serveSite('product-page', {
	pages: ['p-1'],
	// The browser takes the styles by their hash: nothing that the policy does not know of hides the block.
	config: { security: { csp: true }, build: { inlineStylesheets: 'always' } },
});
const page = await site.context.newPage();

afterAll(site.close);

async function visit(display: string, colorScheme: 'light' | 'dark' = 'light') {
	await page.emulateMedia({ colorScheme });
	await page.goto(`${site.url}/${display}/`);
}

describe.each(['light', 'dark'] as const)('%s: axe finds nothing', (colorScheme) => {
	test.each(['hidden', 'visible', 'details'])('with display %s', async (display) => {
		await visit(display, colorScheme);
		expect(await page.locator('.pr-review, .review-item').count()).toBeGreaterThan(2);
		expect(await page.locator('.pr-star-rating, #ServiceReviewSchemaJson').count()).toBe(2);
		if (display === 'details') {
			expect(await findViolations(page, ['summary'])).toEqual([]);
			await page.locator('summary').press('Enter');
			expect(await page.locator('.pr-body').first().isVisible()).toBe(true);
		}
		// No other rule depends on colors.
		expect(
			await findViolations(page, undefined, colorScheme === 'dark' ? ['color-contrast'] : undefined),
		).toEqual([]);
	});
});

test('axe finds nothing on a page that stays light for those who prefer dark', async () => {
	await visit('visible', 'dark');
	await page.evaluate(() => {
		document.documentElement.style.colorScheme = 'light';
	});
	expect(await findViolations(page, undefined, ['color-contrast'])).toEqual([]);
});

test('axe looks at the reviews: a link in the hidden block that keys can reach is found', async () => {
	await visit('hidden');
	await page.locator('.review-product-link').evaluateAll(([link]) => link?.removeAttribute('tabindex'));
	expect(await findViolations(page)).toMatchObject([expect.stringMatching(/^aria-hidden-focus: /)]);
});

test('the Nu HTML checker finds no error with any display', needs('java'), async () => {
	const files = ['hidden', 'visible', 'details'].map((display) => join(site.folder, display, 'index.html'));
	const problems = await checkHtml(files);
	// The checker is older than container queries.
	const errors = problems.filter(
		({ severity, message }) => severity === 'error' && !/^CSS: “container”/.test(message),
	);
	expect(errors).toEqual([]);
});

test('a built site has nothing of the toolbar, and does not name the package', () => {
	for (const [name, content] of readFiles(site.folder))
		expect(content.toString(), name).not.toMatch(/toolbar|astro-product-reviews/i);
});

describe('the hidden block', () => {
	/** Presses Tab once around the page; the texts of what it stops at. */
	async function tabStops(): Promise<(string | null)[]> {
		const stops: (string | null)[] = [];
		for (let press = 0; press < 100; press++) {
			await page.keyboard.press('Tab');
			const stop = await page.evaluate(() => {
				const { activeElement } = document;
				return activeElement === document.body ? undefined : activeElement?.textContent;
			});
			if (stop === undefined) return stops;
			stops.push(stop);
		}
		throw new Error('Tab never leaves the page.');
	}

	/** Every text that the browser hands to screen readers. */
	async function spokenTexts(): Promise<string> {
		const session = await site.context.newCDPSession(page);
		const { nodes } = await session.send('Accessibility.getFullAXTree');
		await session.detach();
		return nodes
			.filter(({ ignored }) => !ignored)
			.map(({ name }) => name?.value)
			.join('\n');
	}

	test('is nothing that Tab stops at', async () => {
		await visit('without');
		const stops = await tabStops();
		expect(stops).toEqual(['Delivery', 'How to care for it', 'Add to basket', 'Where to', 'Contact']);
		await visit('hidden');
		expect(await page.locator('[data-display="hidden"] a').count()).toBeGreaterThan(10);
		expect(await tabStops()).toEqual(stops);
	});

	test('is not read to anybody, and the visible list is', async () => {
		await visit('hidden');
		// Lines as they are set: white space is not.
		const texts = (await page.locator('.review-body').allTextContents()).flatMap((text) =>
			text.split('\n').flatMap((line) => line.replace(/\s+/g, ' ').trim() || []),
		);
		expect(texts.length).toBeGreaterThan(20);
		const spoken = await spokenTexts();
		expect(spoken).toContain('Boils a litre in four minutes.');
		expect(texts.filter((text) => spoken.includes(text))).toEqual([]);
		await visit('visible');
		const spokenVisible = await spokenTexts();
		expect(texts.filter((text) => !spokenVisible.includes(text))).toEqual([]);
	});

	test.each([
		[360, 'rtl'],
		[1280, 'ltr'],
	])('%i pixels wide, %s: moves nothing', async (width, direction) => {
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
	])('as the last thing in %s adds nothing to be scrolled', async (_where, style) => {
		await visit('hidden');
		const sizes = await page.evaluate(placeLast, style);
		expect(sizes.with).toEqual(sizes.without);
	});
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
