import type { Labels } from '../labels/labels.js';
import type { DisplayedReview, ProductReviews } from '../parse/record.js';
import { fillLabel } from './fill-label.js';
import { attributes, type Html, html } from './html.js';

/** First part of the wrapper's class, before the block id, as the service documents it ("prefix + `_` + block id"). */
const CLASS_PREFIX = 'product-reviews';

/** What a block is written with. */
export interface BlockContext {
	readonly labels: Labels;
	/** BCP 47 tag of the page's language. */
	readonly language: string;
	readonly heading: string;
	/** 1 to 6. */
	readonly headingLevel: number;
	/** Attributes for the root element. */
	readonly attributes: Readonly<Record<string, unknown>>;
}

/**
 * The block in the service's documented structure, for crawlers. It is hidden from people: the component's stylesheet
 * hides it, screen readers skip it, and its links cannot be reached with the keyboard.
 */
export function renderCrawlerBlock(
	product: ProductReviews,
	reviews: readonly DisplayedReview[],
	context: BlockContext,
): Html {
	const blockId = product.blockId ?? 'reviews';
	const { class: added, ...others } = context.attributes;
	const className = [`${CLASS_PREFIX}_${blockId.replace(/\s+/g, '-')}`, added].filter(Boolean).join(' ');
	const own = {
		class: className,
		'data-id': blockId,
		'data-block-handle': product.handle ?? blockId,
		'data-display': 'hidden',
		'aria-hidden': 'true',
	};
	// Ours come first, for their order, and last, so that the page's attributes cannot override them.
	return html`<div${attributes({ ...own, ...others, ...own })}>${context.heading !== '' && html`<h2>${context.heading}</h2>`}${reviews.map((review) => renderItem(review, context))}</div>`;
}

// dir="auto" detects the direction of a text and isolates its overrides in the element.
function renderItem(review: DisplayedReview, { labels, language }: BlockContext): Html {
	const { author, rating, title, body, date } = review;
	return html`<div class="review-item">${renderProduct(review)}${
		author !== undefined && html`<div class="review-author" dir="auto">${author}</div>`
	}${
		rating !== undefined &&
		html`<div class="review-rating" dir="auto">${fillLabel(labels.rating, { rating }, language)}</div>`
	}${title !== undefined && html`<div class="review-title" dir="auto">${title}</div>`}${
		body !== undefined && html`<div class="review-body" dir="auto">${body}</div>`
	}${date !== undefined && html`<div class="review-date" dir="auto">${date}</div>`}</div>`;
}

function renderProduct({ productName, productUrl }: DisplayedReview): Html | undefined {
	const name = productName ?? productUrl;
	if (name === undefined) return undefined;
	return productUrl === undefined
		? html`<div class="review-product" dir="auto">${name}</div>`
		: html`<div class="review-product"><a class="review-product-link" href="${productUrl}" tabindex="-1" dir="auto">${name}</a></div>`;
}
