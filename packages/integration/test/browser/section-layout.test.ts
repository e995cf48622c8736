import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LooksSite, openLooks } from '../support/browser/looks-site.js';
import { FRAMEWORKS, REFERENCE } from '../support/browser/store-css/frameworks.ts';

let looks: LooksSite;

beforeAll(async () => {
	looks = await openLooks();
});

beforeEach(async () => {
	await looks.page.emulateMedia({ colorScheme: 'light', media: 'screen', forcedColors: 'none' });
	await looks.page.setViewportSize({ width: 1280, height: 900 });
});

afterAll(() => looks?.close());

const addStyle = (content: string) => looks.page.addStyleTag({ content });

const boxOf = async (selector: string) =>
	(await looks.page.locator(selector).first().boundingBox()) ?? expect.fail(`No ${selector} to be seen.`);

/** How many columns the section has. */
async function columns(): Promise<number> {
	const overview = await boxOf('.review-section-overview');
	const content = await boxOf('.review-section-content');
	return content.y >= overview.y + overview.height ? 1 : 2;
}

const tooWide = () =>
	looks.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

describe('columns', () => {
	test.each([
		['wide', '.page { max-width: 72rem }', 2],
		['in a column of 500 pixels', '.page { max-width: 500px }', 1],
		['as an item of a row', '.page { display: flex; flex-wrap: wrap }', 2],
		[
			'as an item of a centred column',
			'.page { display: flex; flex-direction: column; align-items: center }',
			2,
		],
		['beside something else', '.page { display: grid; grid-template-columns: 600px auto }', 1],
		['with margins of its own', '.review-section { margin-inline: 3rem }', 2],
		['with text of twice the size', ':root { font-size: 200% }', 1],
	])('%s', async (_where, style, expected) => {
		await looks.show(REFERENCE, 'light');
		await addStyle(style);
		expect(await columns()).toBe(expected);
		expect((await boxOf('.review-section')).width).toBeGreaterThan(400);
		expect(await tooWide()).toBeLessThanOrEqual(0);
	});
});

test.each(FRAMEWORKS.map((framework) => [framework.name, framework] as const))(
	'%s: who comes with the keyboard sees where, on every control',
	async (_name, framework) => {
		await looks.show(framework, 'light');
		for (const [control, painted] of [
			['.review-filter-input:checked', '.review-filter-choice:has(:checked) > .review-filter-text'],
			['.review-more-summary', '.review-more-summary'],
			['.review-media .review-media-thumbnail', '.review-media .review-media-thumbnail'],
			['summary.product-reviews-summary', 'summary.product-reviews-summary'],
		] as const) {
			await looks.page.keyboard.press('Shift');
			await looks.page.locator(control).first().focus();
			const { outlineStyle, outlineWidth } = await looks.page
				.locator(painted)
				.first()
				.evaluate((element) => {
					const { outlineStyle, outlineWidth } = getComputedStyle(element);
					return { outlineStyle, outlineWidth };
				});
			expect({ control, outlineStyle, outlineWidth }).toEqual({
				control,
				outlineStyle: 'solid',
				outlineWidth: '3px',
			});
		}
	},
);

test('in forced colours everything is still drawn, in the colours that the visitor chose', async () => {
	await looks.page.emulateMedia({ forcedColors: 'active' });
	await looks.show(REFERENCE, 'light');
	const star = await looks.page
		.locator('.review-list .product-reviews-stars')
		.first()
		.evaluate((element) => getComputedStyle(element, '::after').backgroundImage);
	expect(star).toContain('rgb(0, 0, 0)');
	expect(
		await looks.page
			.locator('.share-bar-stars')
			.first()
			.evaluate((bar) => getComputedStyle(bar).fill),
	).not.toBe('rgba(0, 0, 0, 0)');
	for (const selector of [
		'.review-flag',
		'.review-filter-choice:not(:has(:checked)) > .review-filter-text',
		'.review-item',
	]) {
		expect(
			await looks.page
				.locator(selector)
				.first()
				.evaluate((element) => getComputedStyle(element).borderTopColor),
		).toBe('rgb(0, 0, 0)');
	}
});

test('on paper there are stars, and no choice of them', async () => {
	await looks.show(REFERENCE, 'light');
	await looks.page.emulateMedia({ media: 'print' });
	expect(await looks.page.locator('.review-filter').isVisible()).toBe(false);
	const stars = looks.page.locator('.review-list .product-reviews-stars').first();
	expect(await stars.evaluate((element) => getComputedStyle(element).printColorAdjust)).toBe('exact');
	expect((await looks.page.pdf({ printBackground: false })).length).toBeGreaterThan(10_000);
});

test.each([1280, 360])('right to left, %i pixels wide: all of it is mirrored', async (width) => {
	await looks.page.setViewportSize({ width, height: 900 });
	await looks.show(REFERENCE, 'light', 'arabic');
	expect(await tooWide()).toBeLessThanOrEqual(0);
	const [stars, value] = [
		await boxOf('.star-rating .product-reviews-stars'),
		await boxOf('.star-rating-value'),
	];
	expect(stars.x).toBeGreaterThan(value.x + value.width);
	const transform = await looks.page
		.locator('.product-reviews-stars')
		.first()
		.evaluate((element) => getComputedStyle(element).transform);
	expect(transform).toBe('matrix(-1, 0, 0, 1, 0, 0)');
	const [heading, section] = [await boxOf('.review-title'), await boxOf('.review-list')];
	expect(heading.x + heading.width).toBeCloseTo(section.x + section.width, 0);
});

test.each(FRAMEWORKS.map((framework) => [framework.name, framework] as const))(
	'%s: words without an end, and text of twice the size, are never too wide',
	async (_name, framework) => {
		await looks.page.setViewportSize({ width: 360, height: 900 });
		await looks.show(framework, 'light');
		await looks.page.evaluate(() => {
			const parts =
				'.review-title, .review-body, .review-author, .review-tag, .review-topic-name, .product-answer-text';
			for (const part of document.querySelectorAll(parts)) part.textContent = 'Kettle'.repeat(40);
		});
		expect(await tooWide()).toBeLessThanOrEqual(0);
		await addStyle(':root { font-size: 200% !important }');
		const widest = await looks.page.evaluate(() => {
			const section = document.querySelector('.review-section') as Element;
			return section.scrollWidth - section.clientWidth;
		});
		expect(widest).toBeLessThanOrEqual(0);
	},
);
