import type { FullReview, ReviewData } from '../parse/review-data.js';
import type { DataFacet } from '../render/data-facet.js';
import type { Placement } from '../render/placement.js';
import type { RenderOptions } from '../render/render-options.js';
import { type ReviewListProps, renderFullReviewList } from '../render/review-data/render-full-review-list.js';
import {
	type ProductQuestionsProps,
	renderProductQuestions,
} from '../render/review-data/render-product-questions.js';
import { type RatingSummaryProps, renderRatingSummary } from '../render/review-data/render-rating-summary.js';
import { type ReviewMediaProps, renderReviewMedia } from '../render/review-data/render-review-media.js';
import {
	type ReviewSectionProps,
	renderReviewSection,
	type WrittenReviewSection,
} from '../render/review-data/render-review-section.js';
import { type ReviewTopicsProps, renderReviewTopics } from '../render/review-data/render-review-topics.js';
import { isSplitByRating } from '../render/review-data/review-filter.js';
import { type ReviewSelection, selectFullReviews } from '../render/review-data/select-full-reviews.js';
import type { PageContext } from './page-context.js';

/** What the components of review data call. Each html is empty where there is nothing to show. */
export interface ReviewComponents {
	/** @param page `Astro` */
	ratingSummaryHtml(props: RatingSummaryProps, page: PageContext): Promise<string>;
	reviewTopicsHtml(props: ReviewTopicsProps, page: PageContext): Promise<string>;
	/** @param own writes a review as the page wants it. */
	reviewListHtml(
		props: ReviewListProps,
		page: PageContext,
		own?: (review: FullReview) => Promise<string>,
	): Promise<string>;
	reviewMediaHtml(props: ReviewMediaProps, page: PageContext): Promise<string>;
	productQuestionsHtml(props: ProductQuestionsProps, page: PageContext): Promise<string>;
	/** @param isOwnList whether the page writes the list of reviews itself. */
	reviewSectionParts(
		props: ReviewSectionProps,
		page: PageContext,
		isOwnList: boolean,
	): Promise<WrittenReviewSection | undefined>;
}

/** What these components work with. */
interface Surroundings {
	/** @param asker names the component in messages. */
	read(
		pid: unknown,
		asker: string,
		facet: DataFacet | undefined,
		page: PageContext,
	): Promise<ReviewData | undefined>;
	place(placement: Placement, page: PageContext): void | Promise<void>;
	optionsFor(page: PageContext): RenderOptions;
}

/** What a component shows: another change of the product's data leaves the page as it is. */
const part = (...of: (keyof ReviewData)[]): DataFacet => ({ part: 'data', of });

export function createReviewComponents({ read, place, optionsFor }: Surroundings): ReviewComponents {
	const placeRating = async ({ pid, aggregate }: ReviewData, page: PageContext) => {
		if (aggregate) await place({ component: 'RatingSummary', pid, count: aggregate.count }, page);
	};
	const placeList = async (
		data: ReviewData,
		shown: readonly FullReview[],
		{ sort, filter }: ReviewSelection,
		page: PageContext,
	) => {
		if (shown.length === 0) return;
		const placement: Placement = {
			component: 'ReviewList',
			pid: data.pid,
			display: 'visible',
			count: data.aggregate?.count,
			// Pinned ones come first in every order: of the order itself, so many fewer are sure to be there.
			shown: filter ? 0 : shown.filter(({ pinned }) => !pinned).length,
			isAll: shown.length === data.reviews.length,
			...(isSplitByRating(filter, data.reviews) && { isSplitByRating: true }),
			sort: sort ?? 'as-sent',
		};
		await place(placement, page);
	};
	return {
		async ratingSummaryHtml({ pid, ...props }, page) {
			const shown = part('aggregate', 'distribution', 'recommendCount');
			const data = await read(pid, '<RatingSummary>', shown, page);
			if (data) await placeRating(data, page);
			return renderRatingSummary(data, props, optionsFor(page));
		},
		async reviewTopicsHtml({ pid, ...props }, page) {
			const data = await read(pid, '<ReviewTopics>', part('topics', 'topicSummaries'), page);
			return renderReviewTopics(data, props, optionsFor(page));
		},
		async reviewListHtml({ pid, ...props }, page, own) {
			const data = await read(pid, '<ReviewList>', part('aggregate', 'reviews'), page);
			const written = own && (await Promise.all(selectFullReviews(data?.reviews ?? [], props).map(own)));
			const { html, shown } = renderFullReviewList(data, props, optionsFor(page), written);
			if (data) await placeList(data, shown, props, page);
			return html;
		},
		async reviewMediaHtml({ pid, ...props }, page) {
			const data = await read(pid, '<ReviewMedia>', part('media'), page);
			return renderReviewMedia(data, props, optionsFor(page));
		},
		async productQuestionsHtml({ pid, ...props }, page) {
			const data = await read(pid, '<ProductQuestions>', part('questions', 'questionCount'), page);
			return renderProductQuestions(data, props, optionsFor(page));
		},
		async reviewSectionParts({ pid, ...props }, page, isOwnList) {
			const data = await read(pid, '<ReviewSection>', undefined, page);
			const section = renderReviewSection(data, props, optionsFor(page));
			if (!data || !section) return undefined;
			if (section.summary !== '') await placeRating(data, page);
			if (isOwnList) await place({ component: 'own-markup', pid: data.pid }, page);
			else await placeList(data, section.shown, props, page);
			return section;
		},
	};
}
