import type { PageCache } from '../live/page-cache.js';
import type { FullReview, ReviewData } from '../payload/review-data.js';
import type { DataFacet } from '../placements/data-facet.js';
import type { Placement } from '../placements/placement.js';
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
import { type ReviewSelection, selectFullReviews } from '../render/review-data/select-full-reviews.js';

/** What the components of review data call. Each html is empty where there is nothing to show. */
export interface ReviewComponents {
	/** @param locale of the page; `undefined` on a site without i18n. */
	ratingSummaryHtml(
		props: RatingSummaryProps,
		locale: string | undefined,
		cache?: PageCache,
	): Promise<string>;
	reviewTopicsHtml(props: ReviewTopicsProps, locale: string | undefined, cache?: PageCache): Promise<string>;
	/** @param own writes a review as the page wants it. */
	reviewListHtml(
		props: ReviewListProps,
		locale: string | undefined,
		own?: (review: FullReview) => Promise<string>,
		cache?: PageCache,
	): Promise<string>;
	reviewMediaHtml(props: ReviewMediaProps, locale: string | undefined, cache?: PageCache): Promise<string>;
	productQuestionsHtml(
		props: ProductQuestionsProps,
		locale: string | undefined,
		cache?: PageCache,
	): Promise<string>;
	/** @param isOwnList whether the page writes the list of reviews itself. */
	reviewSectionParts(
		props: ReviewSectionProps,
		locale: string | undefined,
		isOwnList: boolean,
		cache?: PageCache,
	): Promise<WrittenReviewSection | undefined>;
}

/** What these components work with. */
interface Surroundings {
	/** @param asker names the component in messages. */
	read(
		pid: unknown,
		asker: string,
		facet: DataFacet | undefined,
		cache: PageCache | undefined,
	): Promise<ReviewData | undefined>;
	place(placement: Placement): void;
	optionsFor(locale: string | undefined): RenderOptions;
}

/** What a component shows: another change of the product's data leaves the page as it is. */
const part = (...of: (keyof ReviewData)[]): DataFacet => ({ part: 'data', of });

export function createReviewComponents({ read, place, optionsFor }: Surroundings): ReviewComponents {
	const placeRating = ({ pid, aggregate }: ReviewData) => {
		if (aggregate) place({ component: 'RatingSummary', pid, count: aggregate.count });
	};
	const placeList = (data: ReviewData, shown: readonly FullReview[], { sort, filter }: ReviewSelection) => {
		if (shown.length === 0) return;
		place({
			component: 'ReviewList',
			pid: data.pid,
			display: 'visible',
			count: data.aggregate?.count,
			// Pinned ones come first in every order: of the order itself, so many fewer are sure to be there.
			shown: filter ? 0 : shown.filter(({ pinned }) => !pinned).length,
			isAll: shown.length === data.reviews.length,
			sort: sort ?? 'as-sent',
		});
	};
	return {
		async ratingSummaryHtml({ pid, ...props }, locale, cache) {
			const data = await read(
				pid,
				'<RatingSummary>',
				part('aggregate', 'distribution', 'recommendCount'),
				cache,
			);
			if (data) placeRating(data);
			return renderRatingSummary(data, props, optionsFor(locale));
		},
		async reviewTopicsHtml({ pid, ...props }, locale, cache) {
			return renderReviewTopics(
				await read(pid, '<ReviewTopics>', part('topics', 'topicSummaries'), cache),
				props,
				optionsFor(locale),
			);
		},
		async reviewListHtml({ pid, ...props }, locale, own, cache) {
			const data = await read(pid, '<ReviewList>', part('aggregate', 'reviews'), cache);
			const written = own && (await Promise.all(selectFullReviews(data?.reviews ?? [], props).map(own)));
			const { html, shown } = renderFullReviewList(data, props, optionsFor(locale), written);
			if (data) placeList(data, shown, props);
			return html;
		},
		async reviewMediaHtml({ pid, ...props }, locale, cache) {
			return renderReviewMedia(
				await read(pid, '<ReviewMedia>', part('media'), cache),
				props,
				optionsFor(locale),
			);
		},
		async productQuestionsHtml({ pid, ...props }, locale, cache) {
			return renderProductQuestions(
				await read(pid, '<ProductQuestions>', part('questions', 'questionCount'), cache),
				props,
				optionsFor(locale),
			);
		},
		async reviewSectionParts({ pid, ...props }, locale, isOwnList, cache) {
			const data = await read(pid, '<ReviewSection>', undefined, cache);
			const section = renderReviewSection(data, props, optionsFor(locale));
			if (!data || !section) return undefined;
			if (section.summary !== '') placeRating(data);
			if (isOwnList) place({ component: 'own-markup', pid: data.pid });
			else placeList(data, section.shown, props);
			return section;
		},
	};
}
