import { type AggregateRating, fullStars } from '../records/rating.js';
import type { Review, ReviewData } from '../records/record.js';
import type { Component, Facts, ListFacts } from './fragment.js';
import { Html, html, type Part } from './html.js';
import { baseLanguage, fillLabel, formatNumber, nameOfLanguage } from './page-labels.js';
import {
	type PartContext,
	type PartProps,
	type PlacedProps,
	type Props,
	type RenderOptions,
	readPart,
	renderRoot,
} from './props.js';
import { renderReview, renderStarCount } from './render-review.js';
import {
	isSplitByRating,
	type ListPage,
	PAGING_PROPS,
	type ReviewPaging,
	type ReviewSelection,
	readPageSize,
	selectPage,
} from './select-reviews.js';

/** Props of `<ReviewList>`. */
export type ReviewListProps = PlacedProps<ListProps>;

export interface ListProps extends PartProps, ReviewSelection, ReviewPaging {
	/** Lets visitors filter by stars. @default true */
	starFilter?: boolean | undefined;
	/** Lets visitors see only reviews in the page's language, where there are others. @default true */
	languageFilter?: boolean | undefined;
}

export const LIST_PROPS = [
	'filter',
	'sort',
	'limit',
	...PAGING_PROPS,
	'starFilter',
	'languageFilter',
] as const;

export const reviewList: Component<'review-data'> = { from: 'review-data', write: writeReviewList };

/**
 * Writes `<ReviewList>`.
 * @param own html of each review, in the order of {@link selectPage}, if the page writes its own.
 * @throws TypeError for an invalid prop.
 */
export function writeReviewList(
	data: ReviewData | undefined,
	props: ListProps & Props,
	options: RenderOptions,
	own?: readonly string[],
): { readonly html: string; readonly facts: readonly Facts[] } {
	const context = readPart(props, options, 'pr-review-list', LIST_PROPS, 'heading');
	const perPage = readPageSize(props.perPage);
	const { shown, place } = selectPage(data?.reviews ?? [], props);
	const pageFacts = pageFactsOf(data && place);
	if (!data || shown.length === 0) return { html: '', facts: pageFacts };
	const list = renderReviewList(shown, context, perPage, own);
	const content = html`${renderShown(shown, data, context, place)}${renderFilter(shown, props, context)}${list}${renderPages(place, context)}`;
	return {
		html: renderRoot(context, content).toString(),
		facts: [listFacts({ component: 'ReviewList', display: 'visible' }, data, shown, props), ...pageFacts],
	};
}

/** Says how many of the product's reviews are in a list, if these are not all: the summary above counts more. */
export function renderShown(
	shown: readonly Review[],
	{ aggregate }: { readonly aggregate: AggregateRating | undefined },
	{ labels, language }: PartContext,
	place?: ListPage,
): Html | undefined {
	const count = aggregate?.count ?? 0;
	if (shown.length >= count) return undefined;
	const number = (value: number) => formatNumber(value, language);
	const { first = 1, pages = 1 } = place ?? {};
	const part = pages > 1 ? `${number(first)}\u2013${number(first + shown.length - 1)}` : number(shown.length);
	return html`<p class="pr-shown">${fillLabel(labels.shownOf, { shown: part, count }, language)}</p>`;
}

/** Writes the links to the pages before and after; `undefined` if there is one page. */
export function renderPages(
	place: ListPage | undefined,
	{ labels, language }: PartContext,
): Html | undefined {
	if (!place || place.pages < 2) return undefined;
	const { page, pages, urlOf } = place;
	const link = (rel: 'prev' | 'next', to: number, text: string) =>
		to >= 1 && to <= pages && html`<a class="pr-page-link" rel="${rel}" href="${urlOf(to)}">${text}</a>`;
	const text = fillLabel(labels.pageOf, { page, pages }, language);
	return html`<nav class="pr-pages" aria-label="${text}">${link('prev', page - 1, labels.previousPage)} <span class="pr-page-number">${text}</span> ${link('next', page + 1, labels.nextPage)}</nav>`;
}

/** Says which pages a list has: an update names the one that is not there. */
export function pageFactsOf(place: ListPage | undefined): readonly Facts[] {
	if (!place) return [];
	const { page, pages, urlOf } = place;
	return [{ component: 'page', page, pages, last: urlOf(pages) }];
}

/** Reviews as a list. @param own html of each, if the page writes its own. */
export function renderReviewList(
	reviews: readonly Review[],
	context: PartContext,
	perPage: number,
	own?: readonly string[],
): Html {
	const { labels, language } = context;
	const items = reviews.map((review, index) => {
		const written = own
			? new Html(own[index] ?? '')
			: renderReview(review, context, () => `${context.id()}r${index}-`);
		const foreign = isForeign(review, language) && html` data-foreign`;
		return html`<li class="pr-item" data-stars="${fullStars(review.rating)}"${foreign}>${written}</li>`;
	});
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
 * Writes the filter: radio buttons for stars, and a box for the page's language, that the stylesheet reads. They are in their own
 * form, so several lists on a page stay independent without unique names or ids. A form with the method "dialog" outside a dialog
 * sends nothing. Nothing is written if there is nothing to choose. The input comes after its text, because themes of stores draw
 * their own buttons into whatever follows an input.
 */
function renderFilter(
	reviews: readonly Review[],
	{ starFilter = true, languageFilter = true }: ListProps,
	context: PartContext,
): Html | undefined {
	const { labels, language } = context;
	const foreign = reviews.filter((review) => isForeign(review, language)).length;
	const own =
		languageFilter &&
		foreign > 0 &&
		foreign < reviews.length &&
		renderChoice(
			html`type="checkbox" name="language" value="own"`,
			fillLabel(labels.ownLanguage, { language: nameOfLanguage(language) }, language),
			reviews.length - foreign,
			context,
		);
	const choices = [starFilter && renderStarChoices(reviews, context), own].filter((choice) => choice);
	if (choices.length === 0) return undefined;
	return html`<form class="pr-filter" method="dialog"><fieldset class="pr-filter-choices"><legend class="pr-filter-legend">${labels.filter}</legend>${choices}</fieldset></form>`;
}

/** Returns whether a review is known to be in another language than the page. */
function isForeign({ language }: Review, page: string): boolean {
	return language !== undefined && baseLanguage(language) !== baseLanguage(page);
}

function renderStarChoices(reviews: readonly Review[], context: PartContext): Html | undefined {
	const byStars = Map.groupBy(reviews, ({ rating }) => fullStars(rating));
	if (byStars.size < 2) return undefined;
	const choices = [5, 4, 3, 2, 1].map((stars) => {
		const count = byStars.get(stars)?.length ?? 0;
		const input = html`type="radio" name="stars" value="${stars}"${count === 0 && html` disabled`}`;
		return renderChoice(input, renderStarCount(stars, context), count, context);
	});
	const all = html`type="radio" name="stars" value="all" checked`;
	return html`${renderChoice(all, context.labels.filterAll, reviews.length, context)}${choices}`;
}

function renderChoice(input: Html, text: Part, count: number, { language }: PartContext): Html {
	return html`<label class="pr-filter-choice"><span class="pr-filter-text">${text} <span class="pr-filter-count">${formatNumber(count, language)}</span></span> <input class="pr-filter-input" ${input}></label>`;
}
