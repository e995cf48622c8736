import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LooksSite, openLooks } from '../support/browser/looks-site.js';
import { paintedContrast, starMiddles } from '../support/browser/painted-contrast.js';
import { dressPage, FRAMEWORKS, REFERENCE } from '../support/browser/store-css.ts';

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

const styleOf = (selector: string, property: string, pseudo?: string) =>
	looks.page
		.locator(selector)
		.first()
		.evaluate(
			(element, [name, part]) => getComputedStyle(element, part).getPropertyValue(name as string),
			[property, pseudo],
		);

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

test('in forced colours everything is still drawn, in the colours that the visitor chose', async () => {
	await looks.page.emulateMedia({ forcedColors: 'active' });
	await looks.show(REFERENCE, 'light');
	expect(await styleOf('.review-list .product-reviews-stars', 'background-image', '::after')).toContain(
		'rgb(0, 0, 0)',
	);
	expect(await styleOf('.share-bar-stars', 'fill')).not.toBe('rgba(0, 0, 0, 0)');
	for (const selector of [
		'.review-flag',
		'.review-filter-choice:not(:has(:checked)) > .review-filter-text',
		'.review-item',
	]) {
		expect(await styleOf(selector, 'border-top-color')).toBe('rgb(0, 0, 0)');
	}
});

test('on paper there are stars, and no choice of them', async () => {
	await looks.show(REFERENCE, 'light');
	await looks.page.emulateMedia({ media: 'print' });
	expect(await looks.page.locator('.review-filter').isVisible()).toBe(false);
	expect(await styleOf('.review-list .product-reviews-stars', 'print-color-adjust')).toBe('exact');
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
	expect(await styleOf('.product-reviews-stars', 'transform')).toBe('matrix(-1, 0, 0, 1, 0, 0)');
	const [heading, section] = [await boxOf('.review-title'), await boxOf('.review-list')];
	expect(heading.x + heading.width).toBeCloseTo(section.x + section.width, 0);
});

/** Text, and how large it is: letters of this size have pixels that are nothing but their colour. */
const TEXTS = [
	...['.review-section-heading', '.review-title', '.review-body', '.review-item .review-author'],
	...['.review-date', '.review-place', '.review-helpful', '.review-filter-legend', '.review-topic-count'],
	...['.review-topic-shares', '.rating-summary-count', '.rating-summary-number', '.star-rating-count'],
	'.product-question-meta',
	// On a ground of their own, which is weaker than the page.
	...['.review-flag', '.review-filter-choice:has(:checked) > .review-filter-text'],
];
const CONTROLS = [
	'.review-filter-choice:not(:has(:checked)) > .review-filter-text',
	'.review-more-summary',
	'.rating-summary-bar .share-bar',
];
const STARS = '.review-list .product-reviews-stars[data-fill="4.0"]';

test.each([
	['white', '#fff', '#000'],
	['navy', '#0b1a3a', '#fff'],
	['mid-grey', '#808080', '#000'],
])('on %s, as painted: text is 4.5:1; stars, controls and bars are 3:1', async (_name, background, color) => {
	const style = `html, body { background: ${background}; color: ${color} } body { zoom: 2; font-family: sans-serif }`;
	const html = looks.html('store').replace(/<link rel="stylesheet"[^>]*>/g, `<style>${looks.css}</style>`);
	await looks.showHtml(html.replace('</head>', `<style>${style}</style></head>`));
	const weakerThan = async (least: number, selectors: readonly string[]) => {
		const found: string[] = [];
		for (const selector of selectors) {
			const contrast = await paintedContrast(looks.page, selector);
			if (contrast < least) found.push(`${selector}: ${contrast.toFixed(2)}`);
		}
		return found;
	};
	expect(await weakerThan(4.5, TEXTS)).toEqual([]);
	const middles = await starMiddles(looks.page, STARS);
	expect(Math.min(...middles.slice(0, 4))).toBeGreaterThanOrEqual(3);
	expect(middles[4]).toBeLessThan(1.1);
	// Nothing of full stars, words and arrows: what is left are outlines and borders.
	await addStyle('.product-reviews-stars::after, .review-more-summary::after { content: none !important }');
	await addStyle('.review-list * { -webkit-text-fill-color: transparent !important }');
	expect(await weakerThan(3, [STARS, ...CONTROLS])).toEqual([]);
});

/** A page with classes of the merchant's own on every component, and rules for them before all others. */
async function showStyled(name: string, classes: string, rules = ''): Promise<void> {
	const framework = FRAMEWORKS.find((framework) => framework.name === name) ?? expect.fail();
	const html = looks
		.html('store')
		.replace(/class="(star-rating|review-section|product-reviews)"/g, `class="$1 ${classes}"`);
	const dressed = await dressPage(html, looks.css, framework, 'light');
	await looks.showHtml(dressed.replace('<style>', `<style>${rules}</style><style>`));
}

async function expectStyles(expected: Readonly<Record<string, Readonly<Record<string, string>>>>) {
	for (const [selector, styles] of Object.entries(expected)) {
		const found = Object.keys(styles).map(async (name) => [name, await styleOf(selector, name)]);
		expect(Object.fromEntries(await Promise.all(found)), selector).toEqual(styles);
	}
}

test.each(['Tailwind 3', 'Tailwind 3, first', 'Tailwind 4', 'Tailwind 4, first'])(
	'%s: classes on a component set size, space and colour, hide it, and lay it out',
	async (name) => {
		await showStyled(name, 'text-2xl gap-4 text-red-600 mt-8 p-2 font-serif');
		for (const root of ['.star-rating', '.review-section', '.product-reviews']) {
			await expectStyles({
				[root]: {
					...{ 'font-size': '24px', 'row-gap': '16px', 'column-gap': '16px', 'margin-top': '32px' },
					...{ 'padding-top': '8px', 'font-family': expect.stringMatching(/serif/) },
				},
			});
		}
		const stars = await boxOf('.star-rating .product-reviews-stars');
		expect((await boxOf('.star-rating .star-rating-value')).x - stars.x - stars.width).toBeCloseTo(16, 0);
		expect(stars.height).toBeCloseTo(24 * 1.1, 0);
		await expectStyles({
			'.review-section-heading': { 'font-size': '36px' },
			'.review-title': { color: await styleOf('.review-section', 'color') },
		});
		await showStyled(name, 'hidden');
		await expectStyles({ '.review-section': { display: 'none' } });
		await showStyled(name, 'flex flex-col items-center');
		await expectStyles({
			'.review-section': { display: 'flex' },
			'.star-rating': { 'align-items': 'center' },
		});
	},
);

test.each(['no reset', 'Tailwind 3', 'Tailwind 4, first', 'Bare'])(
	'%s: a class and custom properties of the merchant’s own win, wherever their rules are',
	async (name) => {
		const mine = {
			'': { color: 'rgb(1, 2, 3)', 'row-gap': '7px', 'max-width': '500px' },
			'.review-title': { 'font-size': '40px', 'margin-top': '9px', color: 'rgb(4, 5, 6)' },
			'.review-item': { 'border-top-style': 'dotted', 'padding-left': '11px' },
			'.review-flag': { 'background-color': 'rgb(7, 8, 9)' },
			'.review-filter-text': { 'border-radius': '3px' },
			'.rating-summary .product-reviews-stars': { 'font-size': '50px' },
			'.review-list-items': { 'list-style-type': 'square', 'padding-left': '13px' },
		};
		const rules = Object.entries(mine).map(([part, styles]) => {
			const text = Object.entries(styles).map((style) => style.join(': '));
			return `.mine ${part} { ${text.join('; ')} }`;
		});
		await showStyled(name, 'mine', rules.join('\n'));
		await expectStyles(
			Object.fromEntries(Object.entries(mine).map(([part, styles]) => [part || '.review-section', styles])),
		);

		const colors = ['star', 'star-empty', 'muted', 'line', 'surface', 'accent', 'positive', 'negative'];
		const text = colors.map((color, index) => `--product-reviews-${color}: rgb(${index}, 0, 0);`).join('');
		await showStyled(
			name,
			'mine',
			`:root { ${text} --product-reviews-font: monospace }
			.mine { --product-reviews-gap: 33px; --product-reviews-radius: 1px }`,
		);
		await expectStyles({
			'.rating-summary .share-bar-stars': { fill: 'rgb(0, 0, 0)' },
			'.review-date': { color: 'rgb(2, 0, 0)' },
			'.review-item': { 'border-top-color': 'rgb(3, 0, 0)', 'padding-top': '33px' },
			'.review-flag': { 'background-color': 'rgb(4, 0, 0)' },
			'.review-more-summary': { color: 'rgb(5, 0, 0)', 'border-radius': '1px' },
			'.share-bar-positive': { fill: 'rgb(6, 0, 0)' },
			'.share-bar-negative': { fill: 'rgb(7, 0, 0)' },
			'.review-body': { 'font-family': 'monospace' },
		});
	},
);
