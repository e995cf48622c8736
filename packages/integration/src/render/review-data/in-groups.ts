import { type Html, html } from '../html.js';

/**
 * A list of which the first items are seen, and each further group after it is asked for: a `<details>` a group, of which
 * the stylesheet shows the next one only when the one before is open.
 * @param perGroup items of a group.
 * @param moreLabel what opens a group of so many items.
 */
export function renderInGroups(
	items: readonly Html[],
	perGroup: number,
	className: string,
	moreLabel: (count: number) => string,
): Html {
	const groups: Html[] = [];
	for (let start = 0; start < items.length; start += perGroup) {
		const group = items.slice(start, start + perGroup);
		const list = html`<ol class="${className}" role="list">${group}</ol>`;
		groups.push(
			start === 0
				? list
				: html`<details class="review-more"><summary class="review-more-summary">${moreLabel(group.length)}</summary>${list}</details>`,
		);
	}
	return html`<div class="review-groups">${groups}</div>`;
}
