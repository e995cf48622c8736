import type { Labels } from '../labels/labels.js';
import { fillLabel } from './fill-label.js';
import { type Html, html } from './html.js';

/**
 * A row of five stars with a text for screen readers. The stylesheet fills it to a tenth of a star, because an inline
 * style would violate a Content Security Policy.
 */
export function renderStars(rating: number, labels: Labels, language: string): Html {
	const text = fillLabel(labels.stars, { rating: toTenth(rating) }, language);
	return html`<span class="product-reviews-stars" role="img" aria-label="${text}" data-fill="${starFill(rating)}"></span>`;
}

/** How far a row of stars is filled, in the form that the stylesheet uses: `'4.3'`. */
export function starFill(rating: number): string {
	return toTenth(rating).toFixed(1);
}

function toTenth(rating: number): number {
	return Math.round(rating * 10) / 10;
}
