import { type Html, html } from '../../render/html.js';
import { plainLine } from '../../text/clean-text.js';
import { amount } from '../../text/words.js';

/** Letters shown of a product id, an address of a page, and a reason. */
const MOST_LETTERS = { id: 60, page: 120, reason: 200 };

/** A text from outside: on one line, short, escaped, and without influence on the direction of what is around it. */
export function foreign(kind: keyof typeof MOST_LETTERS, text: string): Html {
	const line = plainLine(text, MOST_LETTERS[kind]);
	return line === '' ? html`<i>no visible letters</i>` : html`<bdi>${line}</bdi>`;
}

/** The first `most` items, and a paragraph that counts the others. */
export function listed<Item>(
	items: readonly Item[],
	most: number,
	write: (item: Item) => Html,
): { readonly shown: readonly Html[]; readonly more: Html } {
	const more = items.length - most;
	return {
		shown: items.slice(0, most).map(write),
		more:
			more > 0
				? html`<p class="more">and ${amount(more)} more, which <code>report --json</code> lists</p>`
				: html``,
	};
}

/** Addresses of pages in a line. */
export function pagesLine(pages: readonly string[], most = 3): Html {
	const named = pages.slice(0, most).map((page, index) => html`${index > 0 && ', '}${foreign('page', page)}`);
	const more = pages.length - most;
	return html`${named}${more > 0 && ` and ${amount(more)} more`}`;
}

/** A section with a heading to link to. */
export function section(id: string, heading: string, ...content: readonly Html[]): Html {
	return html`<section id="${id}" aria-labelledby="${id}-heading"><h2 id="${id}-heading">${heading}</h2>${content}</section>\n`;
}

/** A share, as a bar. Its number is beside it, so it is not read out. @param share from 0 to 1 */
export function bar(share: number): Html {
	const width = share > 0 ? Math.max(0.5, 100 * share) : 0;
	return html`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect width="${width.toFixed(1)}" height="1"/></svg>`;
}

/** A time for people, from milliseconds: "850 ms", "1.2 s", "12 min". */
export function timeText(ms: number): string {
	if (ms < 1_000) return `${amount(Math.round(ms))} ms`;
	return ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${amount(Math.round(ms / 60_000))} min`;
}
