import type { FullReview } from '../../parse/review-data.js';
import { fillLabel, formatNumber } from '../fill-label.js';
import { type Html, html } from '../html.js';
import type { PartContext } from './part-context.js';
import { fullStars } from './review-filter.js';

/**
 * The star filter: radio buttons that the stylesheet reads. They are in their own form, so several lists on a page stay
 * independent without unique names or ids. A form with the method "dialog" outside a dialog sends nothing. Nothing is
 * written if there is nothing to choose. The input comes after its text, because themes of stores draw their own buttons
 * into whatever follows an input.
 */
export function renderStarFilter(reviews: readonly FullReview[], context: PartContext): Html | undefined {
	const { labels, language } = context;
	const counts = new Map<number, number>();
	for (const { rating } of reviews) {
		const stars = fullStars(rating);
		counts.set(stars, (counts.get(stars) ?? 0) + 1);
	}
	if (counts.size < 2) return undefined;
	const choices = [5, 4, 3, 2, 1].map((stars) =>
		renderChoice(
			String(stars),
			fillLabel(labels.starCount, { count: stars }, language),
			counts.get(stars) ?? 0,
			context,
		),
	);
	return html`<form class="review-filter" method="dialog"><fieldset class="review-filter-choices"><legend class="review-filter-legend">${labels.filter}</legend>${renderChoice('all', labels.filterAll, reviews.length, context)}${choices}</fieldset></form>`;
}

function renderChoice(value: string, text: string, count: number, { language }: PartContext): Html {
	const isAll = value === 'all';
	return html`<label class="review-filter-choice"><span class="review-filter-text">${text} <span class="review-filter-count">${formatNumber(count, language)}</span></span> <input class="review-filter-input" type="radio" name="stars" value="${value}"${isAll && html` checked`}${
		count === 0 && html` disabled`
	}></label>`;
}
