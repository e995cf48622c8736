import type { ReviewData } from '../../parse/record.js';
import type { ProductId } from '../../text/product-id.js';
import type { Component } from '../component.js';
import { fillLabel, formatNumber } from '../fill-label.js';
import { type Html, html } from '../html.js';
import { renderStars } from '../parts.js';
import type { RenderOptions } from '../render-options.js';
import {
	dataComponent,
	type PartContext,
	type PartProps,
	partContext,
	type RootAttributes,
	ratingFacts,
	renderShareBar,
} from './parts.js';

/** Props of `<RatingSummary>`. Others, such as `class`, go to its root element. */
export type RatingSummaryProps = {
	/** Product id, as the review service knows it. A number is read as its decimal string. */
	pid: ProductId;
} & PartProps &
	Record<string, unknown>;

/** The html of `<RatingSummary>` on one line; empty for a product without ratings. */
export function renderRatingSummary(
	data: ReviewData | undefined,
	props: PartProps & RootAttributes,
	options: RenderOptions,
): string {
	const context = partContext(props, options, 'rating-summary', undefined);
	if (!data?.aggregate) return '';
	const { labels, language } = context;
	const { average, count } = data.aggregate;
	const value = fillLabel('{average}', { average }, language);
	return context
		.wrap(
			html`<p class="rating-summary-average"><span class="rating-summary-value" aria-hidden="true">${value}</span> <span class="rating-summary-overall">${renderStars(average, labels, language)} <span class="rating-summary-count">${fillLabel(labels.count, { count }, language)}</span></span></p>${renderBars(data, context)}${renderRecommendation(data, context)}`,
		)
		.toString();
}

const STARS = [5, 4, 3, 2, 1] as const;

function renderBars({ distribution }: ReviewData, { labels, language }: PartContext): Html | undefined {
	const all = STARS.reduce((sum, stars) => sum + distribution[stars], 0);
	if (all <= 0) return undefined;
	const bars = STARS.map((stars) => {
		const share = distribution[stars] / all;
		return html`<li class="rating-summary-bar"><span class="rating-summary-stars">${fillLabel(labels.starCount, { count: stars }, language)}</span> ${renderShareBar([{ tone: 'stars', share }])} <span class="rating-summary-number">${formatNumber(distribution[stars], language)}</span></li>`;
	});
	return html`<ul class="rating-summary-bars" role="list" aria-label="${labels.distribution}">${bars}</ul>`;
}

function renderRecommendation(
	{ aggregate, recommendCount: recommending }: ReviewData,
	{ labels, language }: PartContext,
): Html | undefined {
	// More recommendations than ratings is a contradiction, so there is no share to show.
	if (!aggregate || !recommending || recommending > aggregate.count) return undefined;
	const percent = recommending / aggregate.count;
	return html`<p class="rating-summary-recommend">${fillLabel(labels.recommendShare, { percent }, language)}</p>`;
}

/** `<RatingSummary>` */
export const ratingSummary: Component<'review-data'> = dataComponent((data, props, options) => ({
	html: renderRatingSummary(data, props, options),
	facts: ratingFacts(data),
}));
