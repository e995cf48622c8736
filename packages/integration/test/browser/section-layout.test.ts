import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openLooks } from '../support/browser/looks-site.js';
import { dressPage, FRAMEWORKS, REFERENCE } from '../support/browser/store-css.ts';
import { usually } from '../support/corpora.js';

const looks = await openLooks();

beforeEach(async () => {
	await looks.page.emulateMedia({ colorScheme: 'light', media: 'screen', forcedColors: 'none' });
	await looks.page.setViewportSize({ width: 1280, height: 900 });
});

afterAll(looks.close);

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

async function columns(): Promise<number> {
	const overview = await boxOf('.pr-section-overview');
	const content = await boxOf('.pr-section-content');
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
			'as an item of a centered column',
			'.page { display: flex; flex-direction: column; align-items: center }',
			2,
		],
		['beside something else', '.page { display: grid; grid-template-columns: 600px auto }', 1],
		['with margins of its own', '.pr-review-section { margin-inline: 3rem }', 2],
		['with text of twice the size', ':root { font-size: 200% }', 1],
	])('%s', async (_where, style, expected) => {
		await looks.show(REFERENCE, 'light');
		await addStyle(style);
		expect(await columns()).toBe(expected);
		expect((await boxOf('.pr-review-section')).width).toBeGreaterThan(400);
		expect(await tooWide()).toBeLessThanOrEqual(0);
	});
});

test('in forced colors everything is still drawn, in the colors that the visitor chose', async () => {
	await looks.page.emulateMedia({ forcedColors: 'active' });
	await looks.show(REFERENCE, 'light');
	expect(await styleOf('.pr-review-list .pr-stars rect', 'fill')).toBe('rgb(0, 0, 0)');
	expect(await styleOf('.pr-share-stars', 'fill')).not.toBe('rgba(0, 0, 0, 0)');
	for (const selector of ['.pr-topic', '.pr-filter-choice:not(:has(:checked))', '.pr-review']) {
		expect(await styleOf(selector, 'border-top-color')).toBe('rgb(0, 0, 0)');
	}
});

test('on paper there are stars, and no choice of them', async () => {
	await looks.show(REFERENCE, 'light');
	await looks.page.emulateMedia({ media: 'print' });
	expect(await looks.page.locator('.pr-filter').isVisible()).toBe(false);
	expect(await styleOf('.pr-review-list .pr-stars', 'print-color-adjust')).toBe('exact');
	expect((await looks.page.pdf({ printBackground: false })).length).toBeGreaterThan(10_000);
});

test.each([1280, 360])('right to left, %i pixels wide: all of it is mirrored', async (width) => {
	await looks.page.setViewportSize({ width, height: 900 });
	await looks.show(REFERENCE, 'light', 'arabic');
	expect(await tooWide()).toBeLessThanOrEqual(0);
	const [stars, value] = [await boxOf('.pr-star-rating .pr-stars'), await boxOf('.pr-star-rating .pr-value')];
	expect(stars.x).toBeGreaterThan(value.x + value.width);
	expect(await styleOf('.pr-stars', 'transform')).toBe('matrix(-1, 0, 0, 1, 0, 0)');
	const [heading, section] = [await boxOf('.pr-title'), await boxOf('.pr-review-list')];
	expect(heading.x + heading.width).toBeCloseTo(section.x + section.width, 0);
});

test.each(['store', 'arabic'])(
	'names and titles of the other direction are whole, and on one side: %s',
	async (page) => {
		await looks.show(REFERENCE, 'light', page);
		const texts = page === 'arabic' ? ['Tom W.', 'Good', 'Short.'] : ['سلمى', 'غلاية ممتازة', 'جيدة.'];
		const cut = await looks.page.evaluate(([author = '', title = '', body = '']) => {
			const review = document.querySelector('.pr-review') as HTMLElement;
			(review.querySelector('.pr-author bdi') as Element).textContent = author;
			(review.querySelector('.pr-title') as Element).textContent = title;
			(review.querySelector('.pr-body') as Element).textContent = body;
			const outer = review.getBoundingClientRect();
			const boxOfText = (element: Element | null) => {
				const range = document.createRange();
				range.selectNodeContents(element as Element);
				return range.getBoundingClientRect();
			};
			const boxes = ['.pr-author', '.pr-title', '.pr-body', '.pr-place'].map((part) =>
				boxOfText(review.querySelector(part)),
			);
			const [, ofTitle, ofBody] = boxes as [DOMRect, DOMRect, DOMRect];
			const side = document.dir === 'rtl' ? 'left' : 'right';
			return {
				outside: boxes.filter(({ left, right }) => left < outer.left - 0.5 || right > outer.right + 0.5)
					.length,
				apart: Math.abs(ofTitle[side] - ofBody[side]),
			};
		}, texts);
		expect(cut.outside).toBe(0);
		expect(cut.apart).toBeLessThan(2);
	},
);

test('an offset, a margin and a heading are as the store sets them', async () => {
	await looks.show(REFERENCE, 'light');
	await addStyle(
		':root { --product-reviews-sticky-top: 80px; --product-reviews-margin: 7px } h2, h3, h4, h5 { color: rgb(0, 0, 99); letter-spacing: -3px; text-transform: uppercase; font-style: italic }',
	);
	expect(await styleOf('.pr-section-overview', 'top')).toBe('80px');
	expect(await styleOf('.pr-review-section', 'margin-top')).toBe('7px');
	await expectStyles({
		'.pr-review-section > .pr-heading': { color: 'rgb(0, 0, 99)', 'text-transform': 'uppercase' },
		'.pr-review-list > .pr-heading': { color: 'rgb(0, 0, 0)', 'letter-spacing': 'normal' },
		'.pr-title': { color: 'rgb(0, 0, 0)', 'text-transform': 'none', 'font-style': 'normal' },
	});
});

test('in opened details, lines go from one side to the other, and the heading is above the button', async () => {
	await looks.show(REFERENCE, 'light');
	await looks.page
		.locator('details.pr-product-reviews')
		.evaluate((element) => element.setAttribute('open', ''));
	const inDetails = (part: string) => boxOf(`details.pr-product-reviews > ${part}`);
	const [heading, button, list] = [
		await inDetails('.pr-heading'),
		await inDetails('.pr-write'),
		await inDetails('.pr-groups'),
	];
	const block = await boxOf('details.pr-product-reviews');
	expect(list.width).toBeCloseTo(block.width, 0);
	expect(button.y).toBeGreaterThanOrEqual(heading.y + heading.height);
	expect(list.y).toBeGreaterThan(button.y + button.height);
});

test('a filter that stands alone is one row on a phone', async () => {
	await looks.page.setViewportSize({ width: 390, height: 800 });
	await looks.showHtml(
		looks.html('parts').replace(/<link rel="stylesheet"[^>]*>/g, `<style>${looks.css}</style>`),
	);
	const [filter, choice] = [
		await boxOf('#review-list .pr-filter'),
		await boxOf('#review-list .pr-filter-choice'),
	];
	expect(filter.height).toBeLessThan(1.5 * choice.height);
	expect(await tooWide()).toBeLessThanOrEqual(0);
});

test('the section fills its container', async () => {
	await looks.page.setViewportSize({ width: 1600, height: 900 });
	await looks.show(REFERENCE, 'light');
	await addStyle('.page { max-width: 1500px }');
	const [section, review] = [await boxOf('.pr-review-section'), await boxOf('.pr-review')];
	expect(review.x + review.width).toBeCloseTo(section.x + section.width, 0);
});

/** Runs in the page: every computed style of elements of ours, and of what is written before and after them. */
function allStyles(): string {
	const seen = new Map<string, number>();
	const elements = [...document.querySelectorAll('[class^="pr-"], [class^="pr-"] *')].filter((element) => {
		const place = `${element.parentElement?.className} ${element.tagName} ${element.getAttribute('class')}`;
		seen.set(place, (seen.get(place) ?? 0) + 1);
		return (seen.get(place) ?? 0) <= 2;
	});
	const lines = elements.flatMap((element, index) =>
		[undefined, '::before', '::after'].flatMap((pseudo) => {
			const style = getComputedStyle(element, pseudo);
			const name = `${index} ${element.getAttribute('class')}${pseudo ?? ''}`;
			return [...style]
				.filter((property) => !property.startsWith('--'))
				.map((property) => `${name} { ${property}: ${style.getPropertyValue(property)} }`);
		}),
	);
	return lines.join('\n');
}

test.each(['store', 'parts'])('the order of our stylesheets makes no difference: %s', async (page) => {
	// The page is complete with its images, whose sizes are compared, too.
	const html = looks.html(page).replace(/<link rel="stylesheet"[^>]*>| loading="lazy"/g, '');
	expect(looks.sheets).toHaveLength(3);
	const stylesIn = async (sheets: readonly string[]) => {
		const styles = sheets.map((css) => `<style>${css}</style>`).join('');
		await looks.showHtml(html.replace('</head>', () => `${styles}</head>`));
		// Rows that scroll have their masks when they have been painted.
		await looks.page.evaluate(
			() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
		);
		return (await looks.page.evaluate(allStyles)).split('\n');
	};
	const first = await stylesIn(looks.sheets);
	expect(first.length).toBeGreaterThan(10_000);
	const other = await stylesIn(looks.sheets.toReversed());
	expect(other.filter((line, index) => line !== first[index])).toEqual([]);
});

type Pixel = readonly number[];
type Box = Awaited<ReturnType<typeof boxOf>>;

/**
 * How an element stands out of what is around it, measured on a screenshot: the contrast of the pixel that stands out
 * most with the page's background, twice as large so that thin lines have pixels of their own.
 */
async function paintedContrast(selector: string): Promise<number> {
	return Math.max(...(await contrastsIn(await shownBoxOf(selector))));
}

/** The same of the pixel in the middle of each star of a row. */
async function starMiddles(selector: string): Promise<readonly number[]> {
	const box = await shownBoxOf(selector);
	const found: number[] = [];
	for (let index = 0; index < 5; index++) {
		const x = box.x + (box.width / 5.4) * (0.5 + 1.1 * index) - 1;
		const y = box.y + box.height * 0.52 - 1;
		found.push(Math.min(...(await contrastsIn({ x, y, width: 2, height: 2 }))));
	}
	return found;
}

async function shownBoxOf(selector: string) {
	await looks.page.locator(selector).first().scrollIntoViewIfNeeded();
	return boxOf(selector);
}

async function contrastsIn(clip: Box): Promise<number[]> {
	const png = await looks.page.screenshot({ clip, scale: 'device' });
	const { colors, background } = await looks.page.evaluate(async (data) => {
		const image = new Image();
		image.src = `data:image/png;base64,${data}`;
		await image.decode();
		const canvas = new OffscreenCanvas(image.width, image.height);
		const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
		context.drawImage(image, 0, 0);
		const { data: bytes } = context.getImageData(0, 0, image.width, image.height);
		const found = new Set<string>();
		for (let at = 0; at < bytes.length; at += 4) found.add(bytes.slice(at, at + 3).join());
		return { colors: [...found], background: getComputedStyle(document.body).backgroundColor };
	}, png.toString('base64'));
	const toPixel = (text: string): Pixel => text.match(/\d+/g)?.slice(0, 3).map(Number) ?? [];
	return colors.map((color) => contrast(toPixel(color), toPixel(background)));
}

/** As the Web Content Accessibility Guidelines count it. */
function contrast(first: Pixel, second: Pixel): number {
	const [light = 0, dark = 0] = [luminance(first), luminance(second)].sort((a, b) => b - a);
	return (light + 0.05) / (dark + 0.05);
}

function luminance(pixel: Pixel): number {
	const [red = 0, green = 0, blue = 0] = pixel.map((value) => {
		const share = value / 255;
		return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Text, and how large it is: letters of this size have pixels that are nothing but their color. */
const TEXTS = [
	...['.pr-review-section > .pr-heading', '.pr-title', '.pr-body', '.pr-review .pr-author'],
	...['.pr-date', '.pr-place', '.pr-vote', '.pr-flag', '.pr-topic-name', '.pr-topic-count'],
	...['.pr-overall .pr-count', '.pr-bar-count', '.pr-star-rating .pr-count', '.pr-recommend-share'],
	...['.pr-question-text', '.pr-filter-choice:not(:has(:checked)) .pr-filter-count', '.pr-more-summary'],
];
/** Text on a ground of its own, inverted. */
const INVERTED = ['.pr-filter-choice:has(:checked) > .pr-filter-text', '.pr-write-text'];
const STARS = '.pr-review-list .pr-stars:has([width="81.5%"])';

const BACKGROUNDS = [
	['white', '#fff', '#000'],
	['cream', '#fdf6e3', '#2b2118'],
	['light grey', '#e5e5e5', '#1b1b1b'],
	['near-black', '#101114', '#f2f2f3'],
	['navy', '#0b1a3a', '#fff'],
] as const;

test.each(usually(BACKGROUNDS, 3))(
	'on %s, as painted: text is 4.5:1 and full stars are 3:1, empty ones hardly to be seen, and what matters less is weaker',
	async (name, background, color) => {
		const style = `html, body { background: ${background}; color: ${color} } body { zoom: 2; font-family: sans-serif }`;
		const html = looks.html('store').replace(/<link rel="stylesheet"[^>]*>/g, `<style>${looks.css}</style>`);
		await looks.showHtml(html.replace('</head>', `<style>${style}</style></head>`));
		const weakerThan = async (least: number, selectors: readonly string[]) => {
			const found: string[] = [];
			for (const selector of selectors) {
				const contrast = await paintedContrast(selector);
				if (contrast < least) found.push(`${selector}: ${contrast.toFixed(2)}`);
			}
			return found;
		};
		expect(await weakerThan(4.5, TEXTS)).toEqual([]);
		const middles = await starMiddles(STARS);
		expect(Math.min(...middles.slice(0, 4))).toBeGreaterThanOrEqual(name === 'light grey' ? 2.5 : 3);
		expect(await paintedContrast('.pr-date')).toBeLessThan(0.75 * (await paintedContrast('.pr-body')));
		expect(middles[4]).toBeLessThan(2.3);
		for (const selector of INVERTED) {
			const contrasts = await contrastsIn(await shownBoxOf(selector));
			expect(Math.max(...contrasts) / Math.min(...contrasts), selector).toBeGreaterThanOrEqual(4.5);
		}
	},
);

/** A page with classes of the merchant's own on every component, and rules for them before all others. */
async function showStyled(name: string, classes: string, rules = ''): Promise<void> {
	const framework = FRAMEWORKS.find((framework) => framework.name === name) ?? expect.fail();
	const html = looks
		.html('store')
		.replace(/class="(pr-star-rating|pr-review-section|pr-product-reviews)"/g, `class="$1 ${classes}"`);
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
	'%s: classes on a component set size, space and color, hide it, and lay it out',
	async (name) => {
		await showStyled(name, 'text-2xl gap-4 text-red-600 mt-8 p-2 font-serif');
		for (const root of ['.pr-star-rating', '.pr-review-section', '.pr-product-reviews']) {
			await expectStyles({
				[root]: {
					...{ 'font-size': '24px', 'row-gap': '16px', 'column-gap': '16px', 'margin-top': '32px' },
					...{ 'padding-top': '8px', 'font-family': expect.stringMatching(/serif/) },
				},
			});
		}
		const stars = await boxOf('.pr-star-rating .pr-stars');
		expect((await boxOf('.pr-star-rating .pr-value')).x - stars.x - stars.width).toBeCloseTo(16, 0);
		expect(stars.height).toBeCloseTo(24 * 1.125, 0);
		await expectStyles({
			'.pr-review-section > .pr-heading': { 'font-size': '42px' },
			'.pr-title': { color: await styleOf('.pr-review-section', 'color') },
		});
		await showStyled(name, 'hidden');
		await expectStyles({ '.pr-review-section': { display: 'none' } });
		await showStyled(name, 'flex flex-col items-center');
		await expectStyles({
			'.pr-review-section': { display: 'flex' },
			'.pr-star-rating': { 'align-items': 'center' },
		});
	},
);

test.each(['no reset', 'Tailwind 3', 'Tailwind 4, first', 'Bare'])(
	'%s: a class and custom properties of the merchant’s own win, wherever their rules are',
	async (name) => {
		const mine = {
			'': { color: 'rgb(1, 2, 3)', 'row-gap': '7px', 'max-width': '500px' },
			'.pr-title': { 'font-size': '40px', 'margin-top': '9px', color: 'rgb(4, 5, 6)' },
			'.pr-review': { 'border-top-style': 'dotted', 'padding-left': '11px' },
			'.pr-topic': { 'background-color': 'rgb(7, 8, 9)' },
			'.pr-filter-choice': { 'border-radius': '3px' },
			'.pr-rating-summary .pr-stars': { 'font-size': '50px' },
			'.pr-review-list .pr-items': { 'list-style-type': 'square', 'padding-left': '13px' },
		};
		const rules = Object.entries(mine).map(([part, styles]) => {
			const text = Object.entries(styles).map((style) => style.join(': '));
			return `.mine ${part} { ${text.join('; ')} }`;
		});
		await showStyled(name, 'mine', rules.join('\n'));
		await expectStyles(
			Object.fromEntries(
				Object.entries(mine).map(([part, styles]) => [part || '.pr-review-section', styles]),
			),
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
			'.pr-rating-summary .pr-share-stars': { fill: 'rgb(0, 0, 0)' },
			'.pr-date': { color: 'rgb(2, 0, 0)' },
			'.pr-review': { 'border-top-color': 'rgb(3, 0, 0)', 'padding-top': '33px' },
			'.pr-media-thumbnail': { 'background-color': 'rgb(4, 0, 0)', 'border-radius': '1px' },
			'.pr-more-summary': { color: 'rgb(5, 0, 0)' },
			'.pr-share-positive': { fill: 'rgb(6, 0, 0)' },
			'.pr-share-negative': { fill: 'rgb(7, 0, 0)' },
			'.pr-body': { 'font-family': 'monospace' },
		});
	},
);
