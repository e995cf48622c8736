import { type Html, html } from '../html.js';

/**
 * A list that shows its first items, and more groups on demand. Each group is a `<details>`, and the stylesheet shows it
 * only when the previous one is open.
 * @param perGroup items per group.
 * @param moreLabel returns the label that opens a group of this many items.
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
