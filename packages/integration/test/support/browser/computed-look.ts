import type { Page } from 'playwright-core';

/** How one element is set, as numbers that can be compared with those of the same element in another page. */
export interface ComputedLook {
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
			// Colours are the page's, and so is how its headings are spelt.
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

/** How everything of ours is set in a page. As one text: value by value it takes much longer to come from the browser. */
export async function readLooks(page: Page): Promise<ComputedLook[]> {
	return JSON.parse(await page.evaluate(computedLooks));
}

/** What is set otherwise than it is to be; lengths may differ by as many em. */
export function differences(
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
