import { type AggregateRating, fullStars } from '../records/rating.js';
import type { Review, ReviewData } from '../records/record.js';
import type { Component, Facts, ListFacts } from './fragment.js';
import { Html, html, type Part } from './html.js';
import { fillLabel, formatNumber } from './page-labels.js';
import {
	type PartContext,
	type PartProps,
	type PlacedProps,
	type Props,
	type RenderOptions,
	readCount,
	readPart,
	renderRoot,
} from './props.js';
import { renderReview, renderStarCount } from './render-review.js';
import { isSplitByRating, type ReviewSelection, selectReviews } from './select-reviews.js';

/** Props of `<ReviewList>`. */
export type ReviewListProps = PlacedProps<ListProps>;

export interface ListProps extends PartProps, ReviewSelection {
	/** Number of reviews shown at first, and with each "more". @default 20 */
	perPage?: number | undefined;
	/** Lets visitors filter by stars. @default true */
	starFilter?: boolean | undefined;
}

export const LIST_PROPS = ['filter', 'sort', 'limit', 'perPage', 'starFilter'] as const;

export const reviewList: Component<'review-data'> = { from: 'review-data', write: writeReviewList };

/**
 * Writes `<ReviewList>`.
 * @param own html of each review, in the order of {@link selectReviews}, if the page writes its own.
 * @throws TypeError for an invalid prop.
 */
export function writeReviewList(
	data: ReviewData | undefined,
	props: ListProps & Props,
	options: RenderOptions,
	own?: readonly string[],
): { readonly html: string; readonly facts: readonly Facts[] } {
	const context = readPart(props, options, 'pr-review-list', LIST_PROPS, 'heading');
	const perPage = readCount('`perPage`', props.perPage ?? 20, 1);
	const shown = selectReviews(data?.reviews ?? [], props);
	if (!data || shown.length === 0) return { html: '', facts: [] };
	const list = renderReviewList(shown, context, perPage, own);
	const content = html`${props.starFilter !== false && renderStarFilter(shown, context)}${list}`;
	return {
		html: renderRoot(context, content).toString(),
		facts: [listFacts({ component: 'ReviewList', display: 'visible' }, data, shown, props)],
	};
}

/** Reviews as a list. @param own html of each, if the page writes its own. */
export function renderReviewList(
	reviews: readonly Review[],
	context: PartContext,
	perPage: number,
	own?: readonly string[],
): Html {
	const items = reviews.map((review, index) => {
		const written = own ? new Html(own[index] ?? '') : renderReview(review, context);
		return html`<li class="pr-item" data-stars="${fullStars(review.rating)}">${written}</li>`;
	});
	const { labels, language } = context;
	return renderInGroups(items, perPage, (count) => fillLabel(labels.more, { count }, language));
}

/**
 * Writes a list that shows its first items, and more groups on demand. Each group is a `<details>`, and the stylesheet shows it
 * only when the previous one is open.
 * @param moreLabel returns the label that opens a group of this many items.
 */
export function renderInGroups(
	items: readonly Html[],
	perGroup: number,
	moreLabel: (count: number) => string,
): Html {
	const groups: Html[] = [];
	for (let start = 0; start < items.length; start += perGroup) {
		const group = items.slice(start, start + perGroup);
		// Safari removes the list role from a list without bullets. The attribute restores it.
		const list = html`<ol class="pr-items" role="list">${group}</ol>`;
		groups.push(
			start === 0
				? list
				: html`<details class="pr-more"><summary class="pr-more-summary">${moreLabel(group.length)}</summary>${list}</details>`,
		);
	}
	return html`<div class="pr-groups">${groups}</div>`;
}

export function listFacts(
	list: Pick<ListFacts, 'component' | 'display'>,
	data: { readonly aggregate: AggregateRating | undefined; readonly reviews: readonly Review[] },
	shown: readonly Review[],
	{ sort, filter }: ReviewSelection,
): ListFacts {
	return {
		...list,
		count: data.aggregate?.count,
		// Pinned reviews come first in every order, so only the others are sure to be the first of `sort`.
		shown: filter ? 0 : shown.filter(({ pinned }) => !pinned).length,
		isAll: shown.length === data.reviews.length,
		...(isSplitByRating(filter, data.reviews) && { isSplitByRating: true }),
		sort: sort ?? 'as-sent',
	};
}

/**
 * Writes the star filter: radio buttons that the stylesheet reads. They are in their own form, so several lists on a page stay
 * independent without unique names or ids. A form with the method "dialog" outside a dialog sends nothing. Nothing is
 * written if there is nothing to choose. The input comes after its text, because themes of stores draw their own buttons
 * into whatever follows an input.
 */
function renderStarFilter(reviews: readonly Review[], context: PartContext): Html | undefined {
	const { labels } = context;
	const counts = new Map<number, number>();
	for (const { rating } of reviews) {
		const stars = fullStars(rating);
		counts.set(stars, (counts.get(stars) ?? 0) + 1);
	}
	if (counts.size < 2) return undefined;
	const choices = [5, 4, 3, 2, 1].map((stars) =>
		renderChoice(String(stars), renderStarCount(stars, context), counts.get(stars) ?? 0, context),
	);
	return html`<form class="pr-filter" method="dialog"><fieldset class="pr-filter-choices"><legend class="pr-filter-legend">${labels.filter}</legend>${renderChoice('all', labels.filterAll, reviews.length, context)}${choices}</fieldset></form>`;
}

function renderChoice(value: string, text: Part, count: number, { language }: PartContext): Html {
	const isAll = value === 'all';
	return html`<label class="pr-filter-choice"><span class="pr-filter-text">${text} <span class="pr-filter-count">${formatNumber(count, language)}</span></span> <input class="pr-filter-input" type="radio" name="stars" value="${value}"${isAll && html` checked`}${
		count === 0 && html` disabled`
	}></label>`;
}
