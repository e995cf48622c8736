import type { Labels } from '../options/labels.js';
import { fillLabel } from './fill-label.js';
import { type Html, html } from './html.js';

/**
 * A row of five stars, filled to a tenth of a star by the stylesheet (an inline style would break a Content Security
 * Policy), with a text for screen readers.
 */
export function renderStars(rating: number, labels: Labels, language: string): Html {
	const text = fillLabel(labels.stars, { rating }, language);
	return html`<span class="product-reviews-stars" role="img" aria-label="${text}" data-fill="${rating.toFixed(1)}"></span>`;
}
