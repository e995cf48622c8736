import { findViolations } from 'product-reviews-test-support/find-violations';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ComputedLook, differences, readLooks } from '../support/browser/computed-look.js';
import { type LooksSite, openLooks } from '../support/browser/looks-site.js';
import { SCHEMES } from '../support/browser/store-css/dress-page.ts';
import { FRAMEWORKS, REFERENCE } from '../support/browser/store-css/frameworks.ts';

const WIDTHS = [360, 768, 1280] as const;
/** Of lengths, in em of the component: the browser rounds lines and borders to pixels. */
const TOLERANCE = 0.02;

let looks: LooksSite;
const references = new Map<number, readonly ComputedLook[]>();

beforeAll(async () => {
	looks = await openLooks();
	for (const width of WIDTHS) {
		await looks.page.setViewportSize({ width, height: 900 });
		await looks.show(REFERENCE, 'light');
		references.set(width, await readLooks(looks.page));
	}
});

afterAll(() => looks?.close());

/** What axe finds in what we wrote: a framework's own faults around it are none of ours. */
const violations = () => findViolations(looks.page, ['.review-section', '.product-reviews', '.star-rating']);

/** Runs in the page: what no store may see. */
function faults(): string[] {
	const found: string[] = [];
	const { scrollWidth, clientWidth } = document.documentElement;
	if (scrollWidth > clientWidth) found.push(`the page is ${scrollWidth - clientWidth} pixels too wide`);
	for (const input of document.querySelectorAll('.review-list input')) {
		if (getComputedStyle(input).opacity !== '0') found.push('a native radio button');
	}
	for (const item of document.querySelectorAll('.review-section li, .product-reviews li')) {
		const { listStyleType, display } = getComputedStyle(item);
		if (listStyleType !== 'none' && display === 'list-item') found.push(`a bullet: ${item.className}`);
	}
	for (const heading of document.querySelectorAll('.review-section h2, .review-section h3')) {
		const page = Number.parseFloat(getComputedStyle(heading.closest('.review-section') as Element).fontSize);
		const { fontSize, fontWeight } = getComputedStyle(heading);
		if (Number.parseFloat(fontSize) < page * 1.2 || fontWeight !== '700') found.push(`a heading like text`);
	}
	return found;
}

describe.each(FRAMEWORKS.map((framework) => [framework.name, framework] as const))(
	'%s',
	(_name, framework) => {
		test.each(SCHEMES)('%s: every part is set as without a reset, and nothing is wrong', async (scheme) => {
			await looks.show(framework, scheme);
			for (const width of WIDTHS) {
				await looks.page.setViewportSize({ width, height: 900 });
				const found = await readLooks(looks.page);

				expect(differences(found, references.get(width) ?? [], TOLERANCE), `${width}`).toEqual([]);
				expect(await looks.page.evaluate(faults), `${width}`).toEqual([]);
			}
			// At one width: what axe looks at is the same at all of them, and it takes longer than everything else.
			expect(await violations()).toEqual([]);
		});
	},
);
