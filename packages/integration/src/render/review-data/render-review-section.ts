import { labelsFor, mergeLabels } from '../../labels/labels-for.js';
import type { FullReview, ReviewData } from '../../parse/review-data.js';
import type { ProductId } from '../../text/product-id.js';
import { readHeadingLevel, renderHeading } from '../heading.js';
import type { RenderOptions } from '../render-options.js';
import type { PartProps, RootAttributes } from './part-context.js';
import { type FullReviewListProps, renderFullReviewList } from './render-full-review-list.js';
import { type QuestionsProps, renderProductQuestions } from './render-product-questions.js';
import { renderRatingSummary } from './render-rating-summary.js';
import { type MediaProps, renderReviewMedia } from './render-review-media.js';
import { renderReviewTopics, type TopicsProps } from './render-review-topics.js';

/** Props of `<ReviewSection>`. Others, such as `class` or `id`, go to its root element. */
export type ReviewSectionProps = {
	/** Product id, as the review service knows it; a number is read as its decimal string. */
	pid: ProductId;
} & SectionProps &
	Record<string, unknown>;

export interface SectionProps
	extends PartProps,
		Pick<FullReviewListProps, 'filter' | 'sort' | 'limit' | 'perPage' | 'starFilter'> {
	/** Whether average, bars and the share that recommend are shown. @default true */
	summary?: boolean | undefined;
	/** Props of `<ReviewTopics>`; `false` leaves it out. */
	topics?: Pick<TopicsProps, 'heading' | 'limit'> | false | undefined;
	/** Props of `<ReviewMedia>`; `false` leaves it out. */
	media?: Pick<MediaProps, 'heading' | 'limit'> | false | undefined;
	/** Props of `<ProductQuestions>`; `false` leaves it out. */
	questions?: Pick<QuestionsProps, 'heading' | 'limit' | 'perPage' | 'unanswered'> | false | undefined;
}

/** What `<ReviewSection>` puts together: html of each part, empty for one that there is nothing of. */
export interface WrittenReviewSection {
	/** Of the root element. */
	readonly attributes: Readonly<Record<string, unknown>>;
	readonly heading: string;
	readonly summary: string;
	readonly topics: string;
	readonly media: string;
	readonly reviews: string;
	readonly questions: string;
	/** Reviews that the list shows. */
	readonly shown: readonly FullReview[];
}

/** The parts of a section; `undefined` for a product of which there is nothing to show. */
export function renderReviewSection(
	data: ReviewData | undefined,
	props: SectionProps & RootAttributes,
	options: RenderOptions,
): WrittenReviewSection | undefined {
	const { heading: given, headingLevel, lang, labels: own, class: added, ...rest } = props;
	// Astro has placed the section by its slot.
	const {
		slot: _slot,
		summary,
		topics,
		media,
		questions,
		filter,
		sort,
		limit,
		perPage,
		starFilter,
		...attributes
	} = rest;
	const labels = labelsFor(mergeLabels(options.labels, own), lang ?? options.language);
	const level = readHeadingLevel(headingLevel ?? 2);
	const text = String(given ?? labels.heading);
	const shared = { lang, labels: own, headingLevel: text === '' ? level : level + 1 };
	const list = renderFullReviewList(
		data,
		{ heading: labels.reviews, ...shared, filter, sort, limit, perPage, starFilter },
		options,
	);
	const parts = {
		summary: summary === false ? '' : renderRatingSummary(data, shared, options),
		topics: topics === false ? '' : renderReviewTopics(data, { ...topics, ...shared }, options),
		media: media === false ? '' : renderReviewMedia(data, { ...media, ...shared }, options),
		reviews: list.html,
		questions: questions === false ? '' : renderProductQuestions(data, { ...questions, ...shared }, options),
	};
	if (Object.values(parts).every((part) => part === '')) return undefined;
	return {
		...parts,
		shown: list.shown,
		heading: renderHeading(level, 'review-section-heading', text)?.toString() ?? '',
		attributes: {
			lang,
			...attributes,
			class: ['review-section', added].filter(Boolean).join(' '),
			'aria-label': attributes['aria-label'] ?? (text || labels.heading),
		},
	};
}
