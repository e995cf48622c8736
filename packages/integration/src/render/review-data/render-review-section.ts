import { labelsFor, mergeLabels } from '../../labels/labels-for.js';
import type { ProductId } from '../../text/product-id.js';
import type { Component } from '../component.js';
import { attributes, Html, html } from '../html.js';
import { readHeadingLevel, renderHeading } from '../parts.js';
import type { RenderOptions } from '../render-options.js';
import { dataComponent, listFacts, type PartProps, type RootAttributes, ratingFacts } from './parts.js';
import { type FullReviewListProps, renderFullReviewList } from './render-full-review-list.js';
import { type QuestionsProps, renderProductQuestions } from './render-product-questions.js';
import { renderRatingSummary } from './render-rating-summary.js';
import { type MediaProps, renderReviewMedia } from './render-review-media.js';
import { renderReviewTopics, type TopicsProps } from './render-review-topics.js';

/** Props of `<ReviewSection>`. Others, such as `class` or `id`, go to its root element. */
export type ReviewSectionProps = {
	/** Product id, as the review service knows it. A number is read as its decimal string. */
	pid: ProductId;
} & SectionProps &
	Record<string, unknown>;

interface SectionProps
	extends PartProps,
		Pick<FullReviewListProps, 'filter' | 'sort' | 'limit' | 'perPage' | 'starFilter'> {
	/** Whether the average, the bars and the share of recommendations are shown. @default true */
	summary?: boolean | undefined;
	/** Props of `<ReviewTopics>`; `false` omits it. */
	topics?: Pick<TopicsProps, 'heading' | 'limit'> | false | undefined;
	/** Props of `<ReviewMedia>`; `false` omits it. */
	media?: Pick<MediaProps, 'heading' | 'limit'> | false | undefined;
	/** Props of `<ProductQuestions>`; `false` omits it. */
	questions?: Pick<QuestionsProps, 'heading' | 'limit' | 'perPage' | 'unanswered'> | false | undefined;
}

/** Html of each part of the section; empty if the part has nothing to show. */
export type SectionParts = Readonly<
	Record<'heading' | 'summary' | 'topics' | 'media' | 'reviews' | 'questions', string>
>;

/** What a page writes itself, into a slot of the same name. */
export type SectionSlot = Exclude<keyof SectionParts, 'heading'> | 'before' | 'after';

/** `<ReviewSection>`. If the page fills slots, it places the other parts around them, and the fragment is in its parts. */
export const reviewSection: Component<'review-data'> = dataComponent((data, given, options) => {
	const { slots = [], ...props } = given as SectionProps & { readonly slots?: readonly SectionSlot[] };
	const { level, text, labels, shared } = readHeading(props, options);
	const { summary, topics, media, questions, filter, sort, limit, perPage, starFilter } = props;
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
	if (Object.values(parts).every((part) => part === '')) return { html: '', facts: [] };
	const heading = renderHeading(level, 'review-section-heading', text)?.toString() ?? '';
	const isOwnList = slots.includes('reviews');
	return {
		...placeParts({ ...parts, heading }, slots, () => attributes(sectionAttributes(props, options))),
		facts: [
			...(parts.summary === '' ? [] : ratingFacts(data)),
			...(isOwnList ? [{ component: 'own-markup' } as const] : listFacts(data, list.shown, props)),
		],
	};
});

/** The whole section, or only the parts that the page has no slot for. */
function placeParts(
	parts: SectionParts,
	slots: readonly SectionSlot[],
	root: () => Html,
): { readonly html: string; readonly parts?: Partial<SectionParts> } {
	if (slots.length > 0) {
		const filled: ReadonlySet<string> = new Set(slots);
		return {
			html: '',
			parts: Object.fromEntries(Object.entries(parts).filter(([name]) => !filled.has(name))),
		};
	}
	const { heading, summary, topics, media, reviews, questions } = parts;
	// The same elements as in ReviewSection.astro.
	const whole = html`<section${root()}>${new Html(heading)}<div class="review-section-body"><div class="review-section-layout"><div class="review-section-overview">${new Html(summary + topics)}</div><div class="review-section-content">${new Html(media + reviews + questions)}</div></div></div></section>`;
	return { html: whole.toString() };
}

/** Attributes of the root element, from the props. */
export function sectionAttributes(
	given: Readonly<Record<string, unknown>>,
	options: RenderOptions,
): RootAttributes {
	const props: SectionProps & RootAttributes = given;
	const { lang, class: added, ...others } = props;
	const { text, labels } = readHeading(props, options);
	const attributes = Object.entries(others).filter(([name]) => !SECTION_PROPS.has(name));
	return {
		lang,
		...Object.fromEntries(attributes),
		class: ['review-section', added].filter(Boolean).join(' '),
		'aria-label': props['aria-label'] ?? (text || labels.heading),
	};
}

/** Props that are not attributes. `slot` is for Astro, which has already placed the section. */
const SECTION_PROPS: ReadonlySet<string> = new Set([
	'slot',
	'heading',
	'headingLevel',
	'labels',
	'summary',
	'topics',
	'media',
	'questions',
	'filter',
	'sort',
	'limit',
	'perPage',
	'starFilter',
]);

function readHeading({ heading, headingLevel, lang, labels: own }: PartProps, options: RenderOptions) {
	const labels = labelsFor(mergeLabels(options.labels, own), lang ?? options.language);
	const level = readHeadingLevel(headingLevel ?? 2);
	const text = String(heading ?? labels.heading);
	return {
		level,
		text,
		labels,
		shared: { lang, labels: own, headingLevel: text === '' ? level : level + 1 },
	};
}
