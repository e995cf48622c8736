import { InvalidPropError } from '../errors.js';
import type { Labels } from '../labels/labels.js';
import { isEnglish, labelsFor } from '../labels/labels-for.js';
import type { DisplayedReview, ProductReviews } from '../parse/record.js';
import type { ProductId } from '../text/product-id.js';
import type { Component } from './component.js';
import { fillLabel, formatDate } from './fill-label.js';
import { attributes, type Html, html } from './html.js';
import { formAuthors, readHeadingLevel, renderHeading, renderStars, starFill } from './parts.js';
import type { RenderOptions } from './render-options.js';
import { countSelected, type ReviewOrder, selectReviews } from './select-reviews.js';

/** First part of the wrapper's class, before the block id, as the service documents it ("prefix + `_` + block id"). */
const CLASS_PREFIX = 'product-reviews';

/** What a block is written with. */
interface BlockContext {
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
function renderCrawlerBlock(
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
	return html`<div${attributes({ ...own, ...others, ...own })}>${context.heading !== '' && html`<h2>${context.heading}</h2>`}${reviews.map((review) => renderBlockItem(review, context))}</div>`;
}

// dir="auto" detects the direction of a text and isolates its overrides in the element.
function renderBlockItem(review: DisplayedReview, { labels, language }: BlockContext): Html {
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

/** The reviews as a visible list: articles with headings, stars with a text alternative, machine-readable dates. */
function renderReviewList(
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
function renderReviewDetails(
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

/** Props of `<ProductReviews>`. Others, such as `class` or `id`, go to its root element. */
export type ProductReviewsProps = ReviewListProps & {
	/** Product id, as the review service knows it. A number is read as its decimal string. */
	pid: ProductId;
} & Record<string, unknown>;

/** How reviews are shown. */
export interface ReviewListProps {
	/**
	 * `'visible'`: a list. `'details'`: a list that opens with a click on its summary. `'hidden'`: only in the page's
	 * source, for sites that run the service's widget.
	 * @default the option `display` of the integration, or else 'visible'
	 */
	display?: 'visible' | 'details' | 'hidden' | undefined;
	/** Heading above the reviews. @default the label `heading`, or else, on an English page, the service's heading */
	heading?: string | undefined;
	/** Level of that heading, 1 to 6. Review titles are one level below. @default 2 */
	headingLevel?: number | undefined;
	/** Maximum number of reviews. @default all that the service sends */
	limit?: number | undefined;
	/** @default 'as-sent' */
	sort?: ReviewOrder | undefined;
	/** BCP 47 tag of the page's language, for dates and numbers. @default the locale of the page, or else 'en' */
	lang?: string | undefined;
}

/** The html of `<ProductReviews>` on one line; empty for a product without reviews. */
export function renderProductReviews(
	product: ProductReviews | undefined,
	props: ReviewListProps & Readonly<Record<string, unknown>>,
	options: RenderOptions,
): string {
	const { display, heading, headingLevel, limit, sort, lang, ...attributes } = props;
	const render = rendererOf(display ?? options.display);
	const level = readHeadingLevel(headingLevel ?? 2);
	const reviews = selectReviews(product?.reviews ?? [], sort, limit);
	if (!product || reviews.length === 0) return '';
	const language = lang ?? options.language;
	const labels = labelsFor(options.labels, language);
	// The service sends the same heading for every language.
	const sent = isEnglish(language) ? product.heading : undefined;
	return render(product, reviews, {
		labels,
		language,
		heading: heading ?? options.labels.heading ?? sent ?? labels.heading,
		headingLevel: level,
		attributes,
	}).toString();
}

/** `<ProductReviews>` */
export const productReviews: Component<'reviews'> = {
	from: 'reviews',
	write(given, { props, language = 'en' }, { author, ...site }) {
		const product = given && formAuthors(given, author);
		const options = { ...site, language };
		const html = renderProductReviews(product, props, options);
		if (!product || html === '') return { html, facts: [] };
		const { display = site.display, limit, sort = 'as-sent' }: ReviewListProps = props;
		const shown = countSelected(product.reviews, limit);
		return {
			html,
			facts: [
				{
					component: 'ProductReviews',
					display,
					count: product.aggregate?.count,
					shown,
					isAll: shown === product.reviews.length,
					sort,
				},
			],
		};
	},
};

function rendererOf(display: string) {
	if (Object.hasOwn(RENDERERS, display)) return RENDERERS[display as keyof typeof RENDERERS];
	throw new InvalidPropError(
		`Expected \`display\` to be 'hidden', 'visible' or 'details', received '${display}'.`,
	);
}

const RENDERERS = {
	hidden: renderCrawlerBlock,
	visible: renderReviewList,
	details: renderReviewDetails,
};
