import { findViolations } from 'product-reviews-test-support/browser';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ComputedLook, differences, readLooks } from '../support/browser/computed-look.js';
import { type LooksSite, openLooks } from '../support/browser/looks-site.js';
import { FRAMEWORKS, REFERENCE, SCHEMES } from '../support/browser/store-css.ts';

const WIDTHS = [360, 768, 1280] as const;
/** Of lengths, in em of the component: the browser rounds lines and borders to pixels. */
const TOLERANCE = 0.02;
/** What a visitor with a keyboard stops at, and what is painted then. */
const CONTROLS = [
	['.pr-filter-input:checked', '.pr-filter-choice:has(:checked) > .pr-filter-text'],
	['.pr-more-summary', '.pr-more-summary'],
	['.pr-review-media .pr-media-thumbnail', '.pr-review-media .pr-media-thumbnail'],
	['summary.pr-summary', 'summary.pr-summary'],
] as const;

let looks: LooksSite;
const references = new Map<number, readonly ComputedLook[]>();

beforeAll(async () => {
	looks = await openLooks();
	await looks.show(REFERENCE, 'light');
	for (const width of WIDTHS) {
		await setWidth(width);
		references.set(width, await readLooks(looks.page));
	}
});

afterAll(() => looks?.close());

const setWidth = (width: number) => looks.page.setViewportSize({ width, height: 900 });

/** What axe finds in what we wrote: a framework's own faults around it are none of ours. */
const violations = (rules?: readonly string[]) =>
	findViolations(looks.page, ['.pr-review-section', '.pr-product-reviews', '.pr-star-rating'], rules);

/** Runs in the page: what no store may see. */
function faults(): string[] {
	const found: string[] = [];
	const { scrollWidth, clientWidth } = document.documentElement;
	if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth - clientWidth} pixels too wide`);
	for (const input of document.querySelectorAll('.pr-review-list input')) {
		if (getComputedStyle(input).opacity !== '0') found.push('a native radio button');
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
		if (Number.parseFloat(fontSize) < page * 1.2 || fontWeight !== '700') found.push(`a heading like text`);
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

test.each(FRAMEWORKS.map((framework) => [framework.name, framework] as const))(
	'%s: every part is set as without a reset, light and dark, and all can be read, reached and fits',
	async (_name, framework) => {
		for (const scheme of SCHEMES) {
			await looks.show(framework, scheme);
			// Colours are all that differs in the dark.
			for (const width of scheme === 'light' ? WIDTHS : [1280 as const]) {
				await setWidth(width);
				const found = await readLooks(looks.page);
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
