import type { AggregateRating } from '../records/rating.js';
import type { ProductReviews, Review } from '../records/record.js';
import type { Component } from './fragment.js';
import { attributes, type Html, html } from './html.js';
import { fillLabel, isEnglish } from './page-labels.js';
import {
	type PartContext,
	type PartProps,
	type PlacedProps,
	readChoice,
	readPart,
	renderHeading,
	renderRoot,
} from './props.js';
import { drawStars } from './render-review.js';
import { listFacts, pageFactsOf, renderPages, renderReviewList, renderShown } from './render-review-list.js';
import { renderEmpty, renderWriteLink } from './render-summary.js';
import {
	type ListPage,
	ORDERS_WITHOUT_VOTES,
	PAGING_PROPS,
	type ReviewOrder,
	type ReviewPaging,
	readPageSize,
	selectPage,
} from './select-reviews.js';

/** Props of `<ProductReviews>`. */
export type ProductReviewsProps = PlacedProps<BlockProps>;

interface BlockProps extends PartProps, ReviewPaging {
	/**
	 * `'visible'`: a list. `'details'`: a list that opens with a click on its summary. `'hidden'`: only in the page's
	 * source, for sites that run the service's widget.
	 * @default the option `display` of the integration, or else 'visible'
	 */
	display?: 'visible' | 'details' | 'hidden' | undefined;
	/** Heading above the reviews. @default the label `heading`, or else, on an English page, the service's heading */
	heading?: string | undefined;
	/** Maximum number of reviews. `Infinity` shows all. @default 100 */
	limit?: number | undefined;
	/** @default 'as-sent' */
	sort?: ReviewOrder | undefined;
}

const OWN = ['display', 'limit', 'sort', ...PAGING_PROPS];

export const productReviews: Component<'reviews'> = {
	from: 'reviews',
	write(product, props: BlockProps, options) {
		const display = readChoice('`display`', props.display ?? options.display, DISPLAYS);
		const { heading, limit, sort } = props;
		// The service sends the same heading for every language.
		const sent = isEnglish(props.lang ?? options.language) ? product?.heading : undefined;
		const given = { ...props, heading: heading ?? props.labels?.heading ?? options.labels.heading ?? sent };
		const context = readPart(given, options, 'pr-product-reviews', OWN, 'heading');
		const { perPage, page, pageUrl, firstPageUrl } = props;
		const selection = { sort, limit, perPage, page, pageUrl, firstPageUrl };
		const { shown, place } = selectPage(product?.reviews ?? [], selection, ORDERS_WITHOUT_VOTES);
		const pageFacts = pageFactsOf(product && place);
		if (display !== 'hidden' && product?.reviews.length === 0) {
			const { aggregate } = product;
			if (!aggregate) return renderEmpty(product, context);
			const html = renderVisible(product, undefined, context).toString();
			return { html, facts: [{ component: 'RatingSummary', count: aggregate.count }, ...pageFacts] };
		}
		if (!product || shown.length === 0) return { html: '', facts: pageFacts };
		const block = { shown, place, perPage: perPage === undefined ? shown.length : readPageSize(perPage) };
		const facts = listFacts({ component: 'ProductReviews', display }, product, shown, { sort });
		return {
			html: RENDERERS[display](product, block, context).toString(),
			facts: [facts, ...pageFacts],
		};
	},
};

const RENDERERS = { hidden: renderCrawlerBlock, visible: renderVisible, details: renderDetails };

const DISPLAYS = Object.keys(RENDERERS) as (keyof typeof RENDERERS)[];

/** The reviews in a block, and their page. */
interface Block {
	readonly shown: readonly Review[];
	readonly place: ListPage | undefined;
	readonly perPage: number;
}

function renderVisible(product: ProductReviews, block: Block | undefined, context: PartContext): Html {
	const { aggregate } = product;
	const link = renderWriteLink(context);
	const summary =
		aggregate &&
		html`<p class="pr-summary">${renderStarsAndText(aggregate, context)}${link && html` ${link}`}</p>`;
	const root = { ...context.root, 'data-display': 'visible' };
	return renderRoot({ ...context, root }, html`${summary}${block && renderBlock(product, block, context)}`);
}

function renderBlock(product: ProductReviews, { shown, place, perPage }: Block, context: PartContext): Html {
	return html`${renderShown(shown, product, context, place)}${renderReviewList(shown, context, perPage)}${renderPages(place, context)}`;
}

function renderDetails(product: ProductReviews, block: Block, context: PartContext): Html {
	const { heading, labels, language, level } = context;
	const summary = product.aggregate
		? renderStarsAndText(product.aggregate, context)
		: heading || fillLabel(labels.count, { count: block.shown.length }, language);
	const root = attributes({ ...context.root, 'data-display': 'details' });
	return html`<details${root}><summary class="pr-summary">${summary}</summary>${renderHeading(level, 'pr-heading', heading)}${renderWriteLink(context)}${renderBlock(product, block, context)}</details>`;
}

function renderStarsAndText({ average, count }: AggregateRating, { labels, language }: PartContext): Html {
	const text = fillLabel(labels.summary, { average, count }, language);
	return html`${drawStars(average, html` aria-hidden="true"`)} <span class="pr-summary-text">${text}</span>`;
}

/**
 * Writes the block in the service's documented structure, for crawlers. The block is hidden from people: the component's
 * stylesheet hides it, screen readers skip it, and its links cannot be reached with the keyboard.
 */
function renderCrawlerBlock(product: ProductReviews, { shown }: Block, context: PartContext): Html {
	const { blockId = 'reviews', handle = blockId } = product;
	const { class: classes, ...others } = context.root;
	const own = {
		// The documented prefix, `_` and the id of the block.
		class: String(classes).replace(
			'pr-product-reviews',
			() => `product-reviews_${blockId.replace(/\s+/g, '-')}`,
		),
		'data-id': blockId,
		'data-block-handle': handle,
		'data-display': 'hidden',
		'aria-hidden': 'true',
		'aria-label': undefined,
	};
	// Ours come first, for their order, and last, so that the page's attributes cannot override them.
	return html`<div${attributes({ ...own, ...others, ...own })}>${context.heading !== '' && html`<h2>${context.heading}</h2>`}${shown.map((review) => renderBlockItem(review, context))}</div>`;
}

// dir="auto" detects the direction of a text and isolates its overrides in the element.
function renderBlockItem(review: Review, { labels, language }: PartContext): Html {
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

function renderProduct({ productName, productUrl }: Review): Html | undefined {
	const name = productName ?? productUrl;
	if (name === undefined) return undefined;
	return productUrl === undefined
		? html`<div class="review-product" dir="auto">${name}</div>`
		: html`<div class="review-product"><a class="review-product-link" href="${productUrl}" tabindex="-1" dir="auto">${name}</a></div>`;
}
