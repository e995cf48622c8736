import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LooksSite, openLooks } from '../support/browser/looks-site.js';
import { dressPage } from '../support/browser/store-css/dress-page.ts';
import { FRAMEWORKS } from '../support/browser/store-css/frameworks.ts';

let looks: LooksSite;

beforeAll(async () => {
	looks = await openLooks();
	await looks.page.setViewportSize({ width: 1280, height: 900 });
});

afterAll(() => looks?.close());

const frameworkOf = (name: string) =>
	FRAMEWORKS.find((framework) => framework.name === name) ?? expect.fail();

/** A page with classes of the merchant's own on every component, and rules for them before all others. */
async function show(name: string, classes: string, rules = ''): Promise<void> {
	const html = looks
		.html('store')
		.replace(/class="(star-rating|review-section|product-reviews)"/g, `class="$1 ${classes}"`);
	const dressed = await dressPage(html, looks.css, frameworkOf(name), 'light');
	await looks.showHtml(dressed.replace('<style>', `<style>${rules}</style><style>`));
}

const styleOf = (selector: string, property: string) =>
	looks.page
		.locator(selector)
		.first()
		.evaluate((element, name) => getComputedStyle(element).getPropertyValue(name), property);

describe.each(['Tailwind 3', 'Tailwind 3, first', 'Tailwind 4', 'Tailwind 4, first'])('%s', (name) => {
	test('classes on a component set size, space and colour', async () => {
		await show(name, 'text-2xl gap-4 text-red-600 mt-8 p-2 font-serif');
		for (const root of ['.star-rating', '.review-section', '.product-reviews']) {
			expect(await styleOf(root, 'font-size')).toBe('24px');
			expect(await styleOf(root, 'row-gap')).toBe('16px');
			expect(await styleOf(root, 'column-gap')).toBe('16px');
			expect(await styleOf(root, 'margin-top')).toBe('32px');
			expect(await styleOf(root, 'padding-top')).toBe('8px');
			expect(await styleOf(root, 'font-family')).toMatch(/serif/);
		}
		const [stars, value] = await Promise.all(
			['.product-reviews-stars', '.star-rating-value'].map((part) =>
				looks.page.locator(`.star-rating ${part}`).boundingBox(),
			),
		);
		expect((value?.x ?? 0) - (stars?.x ?? 0) - (stars?.width ?? 0)).toBeCloseTo(16, 0);
		expect(stars?.height).toBeCloseTo(24 * 1.1, 0);
		expect(await styleOf('.review-section-heading', 'font-size')).toBe('36px');
		expect(await styleOf('.review-title', 'color')).toBe(await styleOf('.review-section', 'color'));
	});

	test('classes on a component hide it, and lay it out', async () => {
		await show(name, 'hidden');
		expect(await styleOf('.review-section', 'display')).toBe('none');
		await show(name, 'flex flex-col items-center');
		expect(await styleOf('.review-section', 'display')).toBe('flex');
		expect(await styleOf('.star-rating', 'align-items')).toBe('center');
	});
});

test.each(['no reset', 'Tailwind 3', 'Tailwind 4, first', 'Pico', 'Bare'])(
	'%s: a class of the merchant’s own wins, wherever its rules are',
	async (name) => {
		await show(
			name,
			'mine',
			`.mine { color: rgb(1, 2, 3); gap: 7px; max-width: 500px }
			.mine .review-title { font-size: 40px; margin-top: 9px; color: rgb(4, 5, 6) }
			.mine .review-item { border-top: 5px dotted; padding: 11px }
			.mine .review-flag { background: rgb(7, 8, 9) }
			.mine .review-filter-text { border-radius: 3px }
			.mine .product-reviews-stars { font-size: 50px }
			.mine .review-list-items { list-style: square; padding-left: 13px }`,
		);
		expect(await styleOf('.review-section', 'color')).toBe('rgb(1, 2, 3)');
		expect(await styleOf('.review-section', 'row-gap')).toBe('7px');
		expect(await styleOf('.review-section', 'max-width')).toBe('500px');
		expect(await styleOf('.review-title', 'font-size')).toBe('40px');
		expect(await styleOf('.review-title', 'margin-top')).toBe('9px');
		expect(await styleOf('.review-title', 'color')).toBe('rgb(4, 5, 6)');
		expect(await styleOf('.review-item', 'border-top')).toMatch(/^5px dotted/);
		expect(await styleOf('.review-item', 'padding-left')).toBe('11px');
		expect(await styleOf('.review-flag', 'background-color')).toBe('rgb(7, 8, 9)');
		expect(await styleOf('.review-filter-text', 'border-radius')).toBe('3px');
		expect(await styleOf('.rating-summary .product-reviews-stars', 'font-size')).toBe('50px');
		expect(await styleOf('.review-list-items', 'padding-left')).toBe('13px');
	},
);

test.each(['no reset', 'Tailwind 4', 'Bare'])('%s: custom properties win', async (name) => {
	const colors = ['star', 'star-empty', 'muted', 'line', 'surface', 'accent', 'positive', 'negative'];
	const rules = colors.map((color, index) => `--product-reviews-${color}: rgb(${index}, 0, 0);`).join('');
	await show(
		name,
		'mine',
		`:root { ${rules} --product-reviews-font: monospace } .mine { --product-reviews-gap: 33px; --product-reviews-radius: 1px }`,
	);
	expect(await styleOf('.review-list .share-bar-stars, .rating-summary .share-bar-stars', 'fill')).toBe(
		'rgb(0, 0, 0)',
	);
	expect(await styleOf('.review-date', 'color')).toBe('rgb(2, 0, 0)');
	expect(await styleOf('.review-item', 'border-top-color')).toBe('rgb(3, 0, 0)');
	expect(await styleOf('.review-flag', 'background-color')).toBe('rgb(4, 0, 0)');
	expect(await styleOf('.review-more-summary', 'color')).toBe('rgb(5, 0, 0)');
	expect(await styleOf('.share-bar-positive', 'fill')).toBe('rgb(6, 0, 0)');
	expect(await styleOf('.share-bar-negative', 'fill')).toBe('rgb(7, 0, 0)');
	expect(await styleOf('.review-item', 'padding-top')).toBe('33px');
	expect(await styleOf('.review-more-summary', 'border-radius')).toBe('1px');
	expect(await styleOf('.review-body', 'font-family')).toBe('monospace');
});
