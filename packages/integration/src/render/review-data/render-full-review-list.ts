import type { FullReview, ReviewData } from '../../parse/review-data.js';
import type { ProductId } from '../../text/product-id.js';
import type { Component } from '../component.js';
import { fillLabel } from '../fill-label.js';
import { Html, html } from '../html.js';
import type { RenderOptions } from '../render-options.js';
import { dataComponent } from './data-component.js';
import { listFacts } from './data-facts.js';
import { renderFullReview } from './full-review.js';
import { renderInGroups } from './in-groups.js';
import { type PartProps, partContext, type RootAttributes } from './part-context.js';
import { readCount } from './read-count.js';
import { fullStars } from './review-filter.js';
import { type ReviewSelection, selectFullReviews } from './select-full-reviews.js';
import { renderStarFilter } from './star-filter.js';

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
