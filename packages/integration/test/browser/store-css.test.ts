import { findViolations } from 'product-reviews-test-support/browser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLooks } from '../support/browser/looks-site.js';
import { FRAMEWORKS, REFERENCE, SCHEMES } from '../support/browser/store-css.ts';
import { usually } from '../support/corpora.js';

const WIDTHS = [360, 768, 1280] as const;
/** Of lengths, in em of the component: the browser rounds lines and borders to pixels. */
const TOLERANCE = 0.02;
/** What a visitor with a keyboard stops at, and what is painted then. */
const CONTROLS = [
	['.pr-filter-input:checked', '.pr-filter-choice:has(:checked)'],
	['.pr-write', '.pr-write'],
	['summary.pr-topic-label', 'summary.pr-topic-label'],
	['.pr-question-summary', '.pr-question-summary'],
	['.pr-more-summary', '.pr-more-summary'],
	['.pr-review-media .pr-media-thumbnail', '.pr-review-media .pr-media-thumbnail'],
	['summary.pr-summary', 'summary.pr-summary'],
] as const;

/** How one element is set, as numbers that can be compared with those of the same element in another page. */
interface ComputedLook {
	/** Its classes, and which of the elements with these classes it is. */
	readonly name: string;
	readonly values: Readonly<Record<string, string | number>>;
}

/**
 * Runs in a page: how everything inside our roots is set. Lengths are in em of the component's root, so that the page's
 * own font size makes no difference.
 */
function computedLooks(): string {
	const ROOTS =
		'.pr-review-section, .pr-rating-summary, .pr-review-topics, .pr-review-list, .pr-review-media, .pr-product-questions, .pr-product-reviews, .pr-star-rating';
	const LENGTHS = [
		...['top', 'right', 'bottom', 'left'].flatMap((side) => [`margin-${side}`, `padding-${side}`]),
		...['font-size', 'line-height', 'row-gap', 'column-gap', 'text-indent'],
	];
	const PIXELS = ['top', 'right', 'bottom', 'left'].map((side) => `border-${side}-width`);
	const WORDS = [
		...['display', 'position', 'float', 'list-style-type', 'font-weight', 'box-sizing', 'visibility'],
		...['background-image', 'text-transform', 'text-decoration-line', 'text-align', 'white-space', 'opacity'],
		...['appearance', 'border-top-style', 'box-shadow', 'overflow-x', 'flex-direction', 'flex-wrap'],
	];
	/** Elements of each class: the tenth review is set as the second. */
	const MOST = 6;
	const seen = new Map<string, number>();
	const looks = [...document.querySelectorAll<HTMLElement>(ROOTS)].flatMap((root) => {
		const em = Number.parseFloat(getComputedStyle(root).fontSize);
		if (root.parentElement?.closest(ROOTS)) return [];
		return [...root.querySelectorAll<HTMLElement>('*:not(rect)')].flatMap((element) => {
			const className = element.getAttribute('class') ?? element.tagName;
			const index = seen.get(className) ?? 0;
			seen.set(className, index + 1);
			if (index >= MOST) return [];
			const style = getComputedStyle(element);
			const values: Record<string, string | number> = {};
			for (const name of LENGTHS) {
				const pixels = Number.parseFloat(style.getPropertyValue(name));
				values[name] = Number.isNaN(pixels) ? style.getPropertyValue(name) : pixels / em;
			}
			// Stars in a line of text are as high as the line.
			if (root.matches('.pr-star-rating')) delete values['line-height'];
			for (const name of PIXELS) values[name] = Number.parseFloat(style.getPropertyValue(name));
			for (const name of WORDS) values[name] = style.getPropertyValue(name);
			// Colors are the page's, and so is how its headings are spelt.
			values['box-shadow'] = style.boxShadow.replace(/\w+\([^)]*\)/, 'color');
			if (element.matches('h1, h2, h3, h4, h5, h6')) delete values['text-transform'];
			if (style.display !== 'list-item') delete values['list-style-type'];
			for (const pseudo of ['::before', '::after']) {
				// Of a radio button nothing is to be seen, whatever is drawn into it.
				if (element.matches('input')) continue;
				const { content, display } = getComputedStyle(element, pseudo);
				values[pseudo] = content === 'none' || content === 'normal' ? 'none' : `${content} ${display}`;
			}
			return [{ name: `${className} ${index}`, values }];
		});
	});
	return JSON.stringify(looks);
}

/** What is set otherwise than it is to be; lengths may differ by as many em. */
function differences(
	found: readonly ComputedLook[],
	expected: readonly ComputedLook[],
	tolerance: number,
): string[] {
	const wanted = new Map(expected.map(({ name, values }) => [name, values]));
	if (found.length !== expected.length) return [`${found.length} elements, not ${expected.length}`];
	return found.flatMap(({ name, values }) =>
		Object.entries(values).flatMap(([property, value]) => {
			const other = wanted.get(name)?.[property];
			const isSame =
				typeof value === 'number' && typeof other === 'number'
					? Math.abs(value - other) <= tolerance
					: value === other;
			return isSame ? [] : [`${name} { ${property}: ${value} }, not ${other}`];
		}),
	);
}

const looks = await openLooks();
const references = new Map<number, readonly ComputedLook[]>();

beforeAll(async () => {
	await looks.show(REFERENCE, 'light');
	for (const width of WIDTHS) {
		await setWidth(width);
		references.set(width, await readLooks());
	}
});

afterAll(looks.close);

/** How everything of ours is set. As one text: value by value it takes much longer to come from the browser. */
const readLooks = async (): Promise<ComputedLook[]> => JSON.parse(await looks.page.evaluate(computedLooks));

const setWidth = (width: number) => looks.page.setViewportSize({ width, height: 900 });

/** What axe finds in what we wrote: a framework's own faults around it are none of ours. */
const violations = (rules?: readonly string[]) =>
	findViolations(looks.page, ['.pr-review-section', '.pr-product-reviews', '.pr-star-rating'], rules);

/** Runs in the page: what no store may see. */
function faults(): string[] {
	const found: string[] = [];
	const { scrollWidth, clientWidth } = document.documentElement;
	if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth - clientWidth} pixels too wide`);
	for (const input of document.querySelectorAll('.pr-review-list input, .pr-media input')) {
		if (getComputedStyle(input).opacity !== '0') found.push('a native radio button or box');
	}
	for (const item of document.querySelectorAll('.pr-review-section li, .pr-product-reviews li')) {
		const { listStyleType, display } = getComputedStyle(item);
		if (listStyleType !== 'none' && display === 'list-item') found.push(`a bullet: ${item.className}`);
	}
	for (const heading of document.querySelectorAll('.pr-review-section h2, .pr-review-section h3')) {
		const page = Number.parseFloat(
			getComputedStyle(heading.closest('.pr-review-section') as Element).fontSize,
		);
		const { fontSize, fontWeight } = getComputedStyle(heading);
		if (
			heading.matches('.pr-title, .pr-question-text')
				? fontWeight < '500'
				: Number.parseFloat(fontSize) < page * 1.12 || fontWeight !== '600'
		)
			found.push(`a heading like text: ${heading.className}`);
	}
	return found;
}

/** Runs in the page: by how much it is too wide with words that never end, and with text of twice the size as well. */
function fillWithLongWords() {
	const parts = '.pr-title, .pr-body, .pr-author, .pr-tag, .pr-topic-name';
	for (const part of document.querySelectorAll(parts)) part.textContent = 'Kettle'.repeat(40);
	const excess = ({ scrollWidth, clientWidth }: Element) => Math.max(0, scrollWidth - clientWidth);
	const page = excess(document.documentElement);
	document.documentElement.style.setProperty('font-size', '200%', 'important');
	return { page, enlarged: excess(document.querySelector('.pr-review-section') as Element) };
}

test.each(usually(FRAMEWORKS, 6).map((framework) => [framework.name, framework] as const))(
	'%s: every part is set as without a reset, light and dark, and all can be read, reached and fits',
	async (_name, framework) => {
		for (const scheme of SCHEMES) {
			await looks.show(framework, scheme);
			// Colors are all that differs in the dark.
			for (const width of scheme === 'light' ? WIDTHS : [1280 as const]) {
				await setWidth(width);
				const found = await readLooks();
				expect(differences(found, references.get(width) ?? [], TOLERANCE), `${scheme} ${width}`).toEqual([]);
				expect(await looks.page.evaluate(faults), `${scheme} ${width}`).toEqual([]);
			}
			expect(await violations(scheme === 'light' ? undefined : ['color-contrast']), scheme).toEqual([]);
		}
		await looks.show(framework, 'light');
		for (const [control, painted] of CONTROLS) {
			await looks.page.keyboard.press('Shift');
			await looks.page.locator(control).first().focus();
			const outline = await looks.page
				.locator(painted)
				.first()
				.evaluate((element) => getComputedStyle(element).outline);
			expect(outline, control).toContain('solid 3px');
		}
		await setWidth(360);
		expect(await looks.page.evaluate(fillWithLongWords)).toEqual({ page: 0, enlarged: 0 });
	},
);
