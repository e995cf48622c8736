import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LooksSite, openLooks } from '../support/browser/looks-site.js';
import { paintedContrast, starMiddles } from '../support/browser/painted-contrast.js';

let looks: LooksSite;

beforeAll(async () => {
	looks = await openLooks();
	await looks.page.setViewportSize({ width: 1280, height: 900 });
});

afterAll(() => looks?.close());

/** Text, and how large it is: letters of this size have pixels that are nothing but their colour. */
const TEXTS = [
	'.review-section-heading',
	'.review-title',
	'.review-body',
	'.review-item .review-author',
	'.review-date',
	'.review-place',
	'.review-helpful',
	'.review-filter-legend',
	'.review-topic-count',
	'.review-topic-shares',
	'.rating-summary-count',
	'.rating-summary-number',
	'.star-rating-count',
	'.product-question-meta',
];
/** Text on a ground of its own, which is weaker than the page. */
const ON_SURFACE = ['.review-flag', '.review-filter-choice:has(:checked) > .review-filter-text'];
const CONTROLS = [
	'.review-filter-choice:not(:has(:checked)) > .review-filter-text',
	'.review-more-summary',
	'.rating-summary-bar .share-bar',
];

describe.each([
	['white', '#fff', '#000'],
	['black', '#000', '#fff'],
	['cream', '#faf3e0', '#000'],
	['navy', '#0b1a3a', '#fff'],
	['mid-grey', '#808080', '#000'],
])('%s', (_name, background, color) => {
	beforeAll(async () => {
		const style = `html, body { background: ${background}; color: ${color} } body { zoom: 2; font-family: sans-serif }`;
		const html = looks.html('store').replace(/<link rel="stylesheet"[^>]*>/g, `<style>${looks.css}</style>`);
		await looks.showHtml(html.replace('</head>', `<style>${style}</style></head>`));
	});

	test('text is 4.5:1', async () => {
		const found: string[] = [];
		for (const selector of [...TEXTS, ...ON_SURFACE]) {
			const contrast = await paintedContrast(looks.page, selector);
			if (contrast < 4.5) found.push(`${selector}: ${contrast.toFixed(2)}`);
		}
		expect(found).toEqual([]);
	});

	test('full stars and the outlines of empty ones are 3:1, and tell one from the other', async () => {
		const row = '.review-list .product-reviews-stars[data-fill="4.0"]';
		const middles = await starMiddles(looks.page, row);
		expect(Math.min(...middles.slice(0, 4))).toBeGreaterThanOrEqual(3);
		expect(middles[4]).toBeLessThan(1.1);

		// Nothing but outlines.
		await looks.page.addStyleTag({ content: '.product-reviews-stars::after { content: none !important }' });
		expect(await paintedContrast(looks.page, row)).toBeGreaterThanOrEqual(3);
	});

	test('borders of controls and bars are 3:1', async () => {
		// Nothing of words and arrows: what is left are borders.
		await looks.page.addStyleTag({
			content:
				'.review-list * { -webkit-text-fill-color: transparent !important } .review-more-summary::after { content: none !important }',
		});
		const found: string[] = [];
		for (const selector of CONTROLS) {
			const contrast = await paintedContrast(looks.page, selector);
			if (contrast < 3) found.push(`${selector}: ${contrast.toFixed(2)}`);
		}
		expect(found).toEqual([]);
	});
});
