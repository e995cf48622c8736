import type { DisplayedReview, ProductReviews } from '../parse/record.js';
import type { BlockContext } from './crawler-block.js';
import { fillLabel, formatDate } from './fill-label.js';
import { renderHeading } from './heading.js';
import { attributes, type Html, html } from './html.js';
import { renderStars, starFill } from './stars.js';

/** The reviews as a visible list: articles with headings, stars with a text alternative, machine-readable dates. */
export function renderReviewList(
	product: ProductReviews,
	reviews: readonly DisplayedReview[],
	context: BlockContext,
): Html {
	const content = html`${renderHeading(context.headingLevel, 'product-reviews-heading', context.heading)}${
		product.aggregate && renderSummary(product.aggregate, context)
	}${renderItems(reviews, context)}`;
	return html`<section${rootAttributes('visible', context)}>${content}</section>`;
}

/** The same list, collapsed under a summary with the average and count. */
export function renderReviewDetails(
	product: ProductReviews,
	reviews: readonly DisplayedReview[],
	context: BlockContext,
): Html {
	const summary = product.aggregate
		? renderStarsAndText(product.aggregate, context)
		: html`${context.heading || fillLabel(context.labels.count, { count: reviews.length }, context.language)}`;
	return html`<details${rootAttributes('details', context)}><summary class="product-reviews-summary">${summary}</summary>${renderHeading(context.headingLevel, 'product-reviews-heading', context.heading)}${renderItems(reviews, context)}</details>`;
}

function rootAttributes(display: string, context: BlockContext): Html {
	const { class: added, ...others } = context.attributes;
	const className = ['product-reviews', added].filter(Boolean).join(' ');
	return attributes({ class: className, ...others, 'data-display': display });
}

function renderSummary(aggregate: NonNullable<ProductReviews['aggregate']>, context: BlockContext): Html {
	return html`<p class="product-reviews-summary">${renderStarsAndText(aggregate, context)}</p>`;
}

function renderStarsAndText(
	{ average, count }: NonNullable<ProductReviews['aggregate']>,
	{ labels, language }: BlockContext,
): Html {
	const text = fillLabel(labels.summary, { average, count }, language);
	return html`<span class="product-reviews-stars" aria-hidden="true" data-fill="${starFill(average)}"></span> <span>${text}</span>`;
}

function renderItems(reviews: readonly DisplayedReview[], context: BlockContext): Html {
	const items = reviews.map((review) => html`<li>${renderItem(review, context)}</li>`);
	// Safari removes the list role from a list without bullets. The attribute restores it.
	return html`<ol class="product-reviews-list" role="list">${items}</ol>`;
}

function renderItem(review: DisplayedReview, { labels, language, headingLevel }: BlockContext): Html {
	const { author, rating, title, body, date } = review;
	return html`<article class="review-item">${
		title !== undefined && renderHeading(headingLevel + 1, 'review-title', title)
	}${rating !== undefined && html`<p class="review-rating">${renderStars(rating, labels, language)}</p>`}${
		body !== undefined && html`<p class="review-body" dir="auto">${body}</p>`
	}<p class="review-meta"><span class="review-author" dir="auto">${author ?? labels.anonymous}</span>${
		date !== undefined &&
		html` <time class="review-date" datetime="${date}">${formatDate(date, language)}</time>`
	}</p></article>`;
}
