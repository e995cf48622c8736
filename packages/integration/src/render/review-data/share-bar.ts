import { type Html, html } from '../html.js';

/** One part of a bar. */
interface BarPart {
	/** Identifies the part in the stylesheet. */
	readonly tone: 'stars' | 'positive' | 'neutral' | 'negative';
	/** 0 to 1. */
	readonly share: number;
}

/**
 * A bar of adjacent shares. It is purely visual: the same information is in the text next to it. Widths are attributes,
 * because an inline style would violate a Content Security Policy.
 */
export function renderShareBar(parts: readonly BarPart[]): Html {
	let start = 0;
	const drawn = parts.map(({ tone, share }) => {
		const x = start;
		start += share;
		return html`<rect class="share-bar-${tone}" x="${percent(x)}" width="${percent(share)}" height="100%"></rect>`;
	});
	return html`<svg class="share-bar" aria-hidden="true" width="100%" height="8">${drawn}</svg>`;
}

function percent(share: number): string {
	return `${Math.round(Math.min(1, Math.max(0, share)) * 1000) / 10}%`;
}
