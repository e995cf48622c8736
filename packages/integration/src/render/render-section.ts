import type { Component } from './fragment.js';
import { attributes, Html, html } from './html.js';
import {
	type PartContext,
	type PartProps,
	type PlacedProps,
	type Props,
	type RenderOptions,
	readPart,
	renderHeading,
} from './props.js';
import { productQuestions, type QuestionsProps } from './render-questions.js';
import { type MediaProps, reviewMedia } from './render-review.js';
import { LIST_PROPS, type ListProps, writeReviewList } from './render-review-list.js';
import { ratingSummary, reviewTopics, type TopicsProps } from './render-summary.js';

/** Props of `<ReviewSection>`. */
export type ReviewSectionProps = PlacedProps<SectionProps>;

interface SectionProps extends PartProps, Pick<ListProps, (typeof LIST_PROPS)[number]> {
	/** Shows the average, the bars and the share of recommendations. @default true */
	summary?: boolean | undefined;
	/** Props of `<ReviewTopics>`; `false` omits it. */
	topics?: Pick<TopicsProps, 'heading' | 'limit'> | false | undefined;
	/** Props of `<ReviewMedia>`; `false` omits it. */
	media?: Pick<MediaProps, 'heading' | 'limit'> | false | undefined;
	/** Props of `<ProductQuestions>`; `false` omits it. */
	questions?: Pick<QuestionsProps, 'heading' | 'limit' | 'perPage' | 'unanswered'> | false | undefined;
}

export type SectionParts = Readonly<
	Record<'heading' | 'summary' | 'topics' | 'media' | 'reviews' | 'questions', string>
>;

/** Parts that a page can write itself, into a slot of the same name. */
export type SectionSlot = Exclude<keyof SectionParts, 'heading'> | 'before' | 'after';

/** `<ReviewSection>`. If the page fills slots, it places the other parts around them, and the fragment is in its parts. */
export const reviewSection: Component<'review-data'> = {
	from: 'review-data',
	write(data, given, options) {
		const { slots = [], ...props } = given as SectionProps & { readonly slots?: readonly SectionSlot[] };
		const { heading, level, itemLevel, labels, root } = readSection(props, options);
		const shared = { lang: props.lang, labels: props.labels, headingLevel: itemLevel };
		// Everything but the list is on the first page.
		const others = Number(props.page ?? 1) > 1 ? false : undefined;
		const { summary, topics = others, media = others, questions = others } = props;
		const selection = Object.fromEntries(LIST_PROPS.map((name) => [name, props[name]]));
		const list = writeReviewList(data, { heading: labels.reviews, ...shared, ...selection }, options);
		const rating = summary === false ? undefined : ratingSummary.write(data, shared, options);
		const partOf = ({ write }: Component<'review-data'>, own: object | false | undefined) =>
			own === false ? '' : write(data, { ...shared, ...own }, options).html;
		const parts = {
			summary: rating?.html ?? '',
			topics: partOf(reviewTopics, topics),
			media: partOf(reviewMedia, media),
			reviews: list.html,
		};
		// Questions alone are no reviews, and have the section's heading for their own.
		const hasReviews = Object.values(parts).some((part) => part !== '');
		const asked = { ...questions, ...(!hasReviews && { headingLevel: level }) };
		const questionsHtml = partOf(productQuestions, questions === false ? false : asked);
		if (!hasReviews && questionsHtml === '') return { html: '', facts: list.facts };
		const headingHtml = hasReviews ? (renderHeading(level, 'pr-heading', heading)?.toString() ?? '') : '';
		const all: SectionParts = { heading: headingHtml, ...parts, questions: questionsHtml };
		const own = slots.includes('reviews') ? [{ component: 'own-markup' } as const] : list.facts;
		const facts = [...(rating?.facts ?? []), ...own];
		const named = hasReviews ? root : { ...root, 'aria-label': labels.questions };
		if (slots.length === 0) return { html: renderSection(all, named).toString(), facts };
		const placed = Object.entries(all).filter(([name]) => !slots.includes(name as SectionSlot));
		return { html: '', parts: Object.fromEntries(placed), facts };
	},
};

/** Writes the same elements as ReviewSection.astro. */
function renderSection(parts: SectionParts, root: Props): Html {
	const { heading, summary, topics, media, reviews, questions } = parts;
	return html`<section${attributes(root)}>${new Html(heading)}<div class="pr-section-body"><div class="pr-section-layout"><div class="pr-section-overview">${new Html(summary)}</div><div class="pr-section-content">${new Html(topics + media + reviews + questions)}</div></div></div></section>`;
}

const OWN = [...LIST_PROPS, 'summary', 'topics', 'media', 'questions'];

export function readSection(
	{ slot: _slot, ...props }: PartProps & Props,
	options: RenderOptions,
): PartContext {
	const context = readPart(props, options, 'pr-review-section', OWN, 'heading');
	return { ...context, root: { 'aria-label': context.labels.heading, ...context.root } };
}
