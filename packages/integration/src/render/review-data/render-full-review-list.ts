import type { FullReview, ReviewData } from '../../parse/record.js';
import type { ProductId } from '../../text/product-id.js';
import type { Component } from '../component.js';
import { fillLabel, formatDate, formatNumber } from '../fill-label.js';
import { Html, html } from '../html.js';
import { renderHeading, renderStars } from '../parts.js';
import type { RenderOptions } from '../render-options.js';
import {
	dataComponent,
	listFacts,
	type PartContext,
	type PartProps,
	partContext,
	type RootAttributes,
	readCount,
	renderInGroups,
	renderMediaList,
} from './parts.js';
import { fullStars, type ReviewSelection, selectFullReviews } from './review-filter.js';

/** Props of `<ReviewList>`. Others, such as `class`, go to its root element. */
export type ReviewListProps = {
	/** Product id, as the review service knows it. A number is read as its decimal string. */
	pid: ProductId;
} & FullReviewListProps &
	Record<string, unknown>;

export interface FullReviewListProps extends PartProps, ReviewSelection {
	/** Number of reviews shown at first, and with each "more". @default 20 */
	perPage?: number | undefined;
	/** Whether visitors can filter by stars. @default true */
	starFilter?: boolean | undefined;
}

/** What `<ReviewList>` writes, and the reviews that it shows. */
export interface WrittenReviewList {
	/** On one line; empty for a product without reviews. */
	readonly html: string;
	readonly shown: readonly FullReview[];
}

/**
 * @param own html of each review, in the order of {@link selectFullReviews}, if the page writes its own.
 * @throws TypeError for an invalid prop.
 */
export function renderFullReviewList(
	data: ReviewData | undefined,
	props: FullReviewListProps & RootAttributes,
	options: RenderOptions,
	own?: readonly string[],
): WrittenReviewList {
	const { filter, sort, limit, perPage, starFilter, ...others } = props;
	const context = partContext(others, options, 'review-list', 'heading');
	const shown = selectFullReviews(data?.reviews ?? [], { filter, sort, limit });
	const perGroup = readCount('perPage', perPage ?? 20, 1);
	if (shown.length === 0) return { html: '', shown };
	const items = shown.map((review, index) => {
		const written = own ? new Html(own[index] ?? '') : renderFullReview(review, context);
		return html`<li data-stars="${fullStars(review.rating)}" class="review-list-item">${written}</li>`;
	});
	const more = (count: number) => fillLabel(context.labels.more, { count }, context.language);
	const content = html`${starFilter !== false && renderStarFilter(shown, context)}${renderInGroups(items, perGroup, 'review-list-items', more)}`;
	return { html: context.wrap(content).toString(), shown };
}

/** `<ReviewList>` */
export const reviewList: Component<'review-data'> = dataComponent((data, props, options) => {
	const { html, shown } = renderFullReviewList(data, props, options);
	return { html, facts: listFacts(data, shown, props) };
});

/**
 * The star filter: radio buttons that the stylesheet reads. They are in their own form, so several lists on a page stay
 * independent without unique names or ids. A form with the method "dialog" outside a dialog sends nothing. Nothing is
 * written if there is nothing to choose. The input comes after its text, because themes of stores draw their own buttons
 * into whatever follows an input.
 */
function renderStarFilter(reviews: readonly FullReview[], context: PartContext): Html | undefined {
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

/** Maximum number of images and videos per review. */
const MOST_MEDIA = 10;

/** One review, with everything that is known about it. */
function renderFullReview(review: FullReview, context: PartContext): Html {
	const { labels, language } = context;
	const { rating, title, body, customQuestions, tags, recommends } = review;
	return html`<article class="review-item">${title !== undefined && renderHeading(context.itemLevel, 'review-title', title)}${
		rating !== undefined && html`<p class="review-rating">${renderStars(rating, labels, language)}</p>`
	}${renderMeta(review, context)}${renderFlags(review, context)}${
		body !== undefined && html`<p class="review-body" dir="auto">${body}</p>`
	}${
		recommends !== undefined &&
		html`<p class="review-recommends" data-recommends="${String(recommends)}">${recommends ? labels.recommends : labels.recommendsNot}</p>`
	}${list('review-question', customQuestions)}${list('review-tag', tags, labels.tags)}${renderMediaList([review], MOST_MEDIA, context)}${renderVotes(review, context)}</article>`;
}

function renderMeta(review: FullReview, { labels, language }: PartContext): Html {
	const { author, date, city, state, country, externalSource: source } = review;
	const place = [...new Set([city, state, country])].filter((part) => part !== undefined).join(', ');
	return html`<p class="review-meta"><span class="review-author" dir="auto">${author ?? labels.anonymous}</span>${
		place !== '' && html` <span class="review-place" dir="auto">${place}</span>`
	}${date !== undefined && html` <time class="review-date" datetime="${date}">${formatDate(date, language)}</time>`}${
		source !== undefined &&
		html` <span class="review-source" dir="auto">${fillLabel(labels.source, { source }, language)}</span>`
	}</p>`;
}

const FLAGS = ['pinned', 'verified', 'testimonial'] as const;

function renderFlags(review: FullReview, { labels }: PartContext): Html | undefined {
	const flags = FLAGS.filter((flag) => review[flag]);
	if (flags.length === 0) return undefined;
	return html`<ul class="review-flags" role="list">${flags.map((flag) => html`<li class="review-flag" data-flag="${flag}">${labels[flag]}</li>`)}</ul>`;
}

function renderVotes({ helpfulCount, unhelpfulCount }: FullReview, context: PartContext): Html | undefined {
	const { labels, language } = context;
	const votes = [
		helpfulCount > 0 && fillLabel(labels.helpful, { count: helpfulCount }, language),
		unhelpfulCount > 0 && fillLabel(labels.unhelpful, { count: unhelpfulCount }, language),
	].filter((text) => text !== false);
	if (votes.length === 0) return undefined;
	return html`<p class="review-helpful">${votes.map((text, index) => html`${index > 0 && ' '}<span class="review-vote">${text}</span>`)}</p>`;
}

/** A list of texts. Its class is the plural of theirs. */
function list(itemClass: string, texts: readonly string[], name?: string): Html | undefined {
	if (texts.length === 0) return undefined;
	const label = name !== undefined && html` aria-label="${name}"`;
	return html`<ul class="${itemClass}s" role="list"${label}>${texts.map((text) => html`<li class="${itemClass}" dir="auto">${text}</li>`)}</ul>`;
}
