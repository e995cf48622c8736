import type { ReviewData, ReviewTopic, TopicSummary } from '../records/record.js';
import type { Component, Fragment } from './fragment.js';
import { attributes, type Html, html, type Part } from './html.js';
import { baseLanguage, fillLabel, formatNumber } from './page-labels.js';
import {
	type PartContext,
	type PartProps,
	type PlacedProps,
	readCount,
	readPart,
	renderRoot,
} from './props.js';
import { drawStars, percent, renderStarCount, renderStars } from './render-review.js';

/** Props of `<StarRating>`. */
export type StarRatingProps = PlacedProps<StarsProps>;

interface StarsProps {
	/** Shows stars, average and the count in parentheses on one line, as on cards. @default false */
	compact?: boolean | undefined;
	/** Keeps the space of the stars for a product without ratings, so that cards in a row are aligned. @default false */
	keepSpace?: boolean | undefined;
	/** BCP 47 tag of the page's language, for numbers. @default the locale of the page, or else 'en' */
	lang?: string | undefined;
}

export const starRating: Component<'rating'> = {
	from: 'rating',
	write(rating, props: StarsProps, options) {
		const context = readPart(props, options, 'pr-star-rating', ['compact', 'keepSpace']);
		const { labels, language } = context;
		const root = { ...context.root, 'data-compact': props.compact === true };
		if (!rating?.aggregate) {
			const space = html`<span${attributes(root)}>${drawStars(0, html` aria-hidden="true" data-empty`)}</span>`;
			return { html: props.keepSpace ? space.toString() : '', facts: [] };
		}
		const { average, count } = rating.aggregate;
		const text = fillLabel(labels.count, { count }, language);
		const shown = props.compact
			? html`<span class="pr-count" role="img" aria-label="${text}">(${formatNumber(count, language)})</span>`
			: html`<span class="pr-count">${text}</span>`;
		return {
			html: html`<span${attributes(root)}>${renderStars(average, labels, language)} ${renderValue(average, context)} ${shown}</span>`.toString(),
			facts: [{ component: 'StarRating', count }],
		};
	},
};

function renderValue(average: number, { language }: PartContext): Html {
	return html`<span class="pr-value" aria-hidden="true">${fillLabel('{average}', { average }, language)}</span>`;
}

/** Props of `<RatingSummary>`. */
export type RatingSummaryProps = PlacedProps<PartProps>;

export const ratingSummary: Component<'review-data'> = {
	from: 'review-data',
	write(data, props, options) {
		const context = readPart(props, options, 'pr-rating-summary', []);
		if (!data?.aggregate) return renderEmpty(data, context);
		const { labels, language } = context;
		const { average, count } = data.aggregate;
		const text = fillLabel(labels.count, { count }, language);
		const overall = html`<span class="pr-overall">${renderStars(average, labels, language)} <span class="pr-count">${text}</span></span>`;
		const content = html`<p class="pr-average">${renderValue(average, context)} ${overall}</p>${renderBars(data, context)}${renderRecommendation(data, context)}${renderWriteLink(context)}`;
		return {
			html: renderRoot(context, content).toString(),
			facts: [{ component: 'RatingSummary', count }],
		};
	},
};

/**
 * Invites to write the first review of a product that has none, where the option `writeReviewUrl` says how.
 * @param product `undefined` if nothing is known about the product, which may have reviews.
 */
export function renderEmpty(
	product: { readonly reviews: readonly unknown[] } | undefined,
	context: PartContext,
): Fragment {
	const link = renderWriteLink(context);
	if (!link || product?.reviews.length !== 0) return { html: '', facts: [] };
	const content = html`<p class="pr-empty">${context.labels.noReviews}</p>${link}`;
	return { html: renderRoot(context, content).toString(), facts: [] };
}

/** Writes a link to where the store's customers write a review; `undefined` if the option `writeReviewUrl` is not set. */
export function renderWriteLink({ labels, writeReviewUrl }: PartContext): Html | undefined {
	if (writeReviewUrl === undefined) return undefined;
	return html`<a class="pr-write" href="${writeReviewUrl}" rel="nofollow"><span class="pr-write-text">${labels.writeReview}</span></a>`;
}

const STARS = [5, 4, 3, 2, 1] as const;

function renderBars({ distribution }: ReviewData, context: PartContext): Html | undefined {
	const { labels, language } = context;
	const all = STARS.reduce((sum, stars) => sum + distribution[stars], 0);
	if (all <= 0) return undefined;
	const bars = STARS.map((stars) => {
		const share = distribution[stars] / all;
		return html`<li class="pr-bar">${renderStarCount(stars, context)} ${renderShares([{ tone: 'stars', share }])} <span class="pr-bar-count">${formatNumber(distribution[stars], language)}</span></li>`;
	});
	return html`<ul class="pr-bars" role="list" aria-label="${labels.distribution}">${bars}</ul>`;
}

function renderRecommendation(
	{ aggregate, recommendCount: recommending }: ReviewData,
	{ labels, language }: PartContext,
): Html | undefined {
	// More recommendations than ratings is a contradiction, so there is no share to show.
	if (!aggregate || !recommending || recommending > aggregate.count) return undefined;
	const percent = recommending / aggregate.count;
	return html`<p class="pr-recommend-share">${fillLabel(labels.recommendShare, { percent }, language)}</p>`;
}

/**
 * Writes a bar of adjacent shares. The bar is purely visual: the same information is in the text next to it. Widths are
 * attributes, because an inline style would violate a Content Security Policy.
 */
function renderShares(
	shares: readonly { readonly tone: 'stars' | (typeof TONES)[number]; readonly share: number }[],
): Html {
	let start = 0;
	const drawn = shares.map(({ tone, share }) => {
		const x = start;
		start += share;
		return html`<rect class="pr-share-${tone}" x="${percent(x)}" width="${percent(share)}" height="100%"></rect>`;
	});
	return html`<svg class="pr-share" aria-hidden="true" width="100%" height="6">${drawn}</svg>`;
}

/** Props of `<ReviewTopics>`. */
export type ReviewTopicsProps = PlacedProps<TopicsProps>;

export interface TopicsProps extends PartProps {
	/** Maximum number of topics, in the service's order. @default 8 */
	limit?: number | undefined;
}

export const reviewTopics: Component<'review-data'> = {
	from: 'review-data',
	write(data, props: TopicsProps, options) {
		const context = readPart(props, options, 'pr-review-topics', ['limit'], 'topics');
		const most = readCount('`limit`', props.limit ?? 8);
		const { topics = [], topicSummaries = {} } = data ?? {};
		const summaries = [...(pickLanguage(topicSummaries, context.language) ?? [])];
		const items = [
			...topics.map((topic) => renderTopic(topic, takeSummary(topic, summaries), context)),
			// The service has no mention counts for these.
			...summaries.map(({ topic, text }) => renderItem(topic, undefined, undefined, text)),
		].slice(0, most);
		const list = html`<ul class="pr-topics" role="list">${items}</ul>`;
		return { html: items.length > 0 ? renderRoot(context, list).toString() : '', facts: [] };
	},
};

/** Takes the summary of a topic, to which it refers by key, or by name in any language. */
function takeSummary(topic: ReviewTopic, summaries: TopicSummary[]): string | undefined {
	const names = [topic.key, ...Object.values(topic.names)].map((name) => name.toLowerCase());
	const index = summaries.findIndex((summary) => names.includes(summary.topic.toLowerCase()));
	return index === -1 ? undefined : summaries.splice(index, 1)[0]?.text;
}

const TONES = ['positive', 'neutral', 'negative'] as const;

function renderTopic(topic: ReviewTopic, summary: string | undefined, context: PartContext): Html {
	const { labels, language } = context;
	const mentions = topic.positive + topic.neutral + topic.negative;
	const shares = TONES.map((tone) => ({ tone, share: mentions > 0 ? topic[tone] / mentions : 0 })).filter(
		({ share }) => share > 0,
	);
	const texts = shares.map(
		({ tone, share: percent }) =>
			html`<li class="pr-topic-${tone}">${fillLabel(labels[tone], { percent }, language)}</li>`,
	);
	const count = topic.total > 0 ? topic.total : mentions;
	const mentioned = fillLabel(labels.mentions, { count }, language);
	const number =
		count > 0 &&
		html` <span class="pr-topic-count" role="img" aria-label="${mentioned}">${formatNumber(count, language)}</span>`;
	const bar =
		mentions >= MIN_MENTIONS &&
		html`${renderShares(shares)}<ul class="pr-topic-shares" role="list">${texts}</ul>`;
	return renderItem(pickLanguage(topic.names, language) ?? topic.key, number, bar, summary);
}

/** A share of fewer mentions would say more than they do: one of two is not half of the customers. */
const MIN_MENTIONS = 5;

/** Writes a topic, which opens if there is more to say about it. */
function renderItem(name: string, number: Part, bar: Part, summary: string | undefined): Html {
	const text = html`<span class="pr-topic-name" dir="auto">${name}</span>${number}`;
	if (!bar && summary === undefined)
		return html`<li class="pr-topic"><span class="pr-topic-label">${text}</span></li>`;
	return html`<li class="pr-topic"><details class="pr-topic-more"><summary class="pr-topic-label">${text}</summary>${bar}${
		summary !== undefined && html`<p class="pr-topic-summary" dir="auto">${summary}</p>`
	}</details></li>`;
}

/**
 * Picks the text for the page's language: an exact match, or else another region of the language, or else English, or
 * else the first text. `undefined` if there are none.
 * @param texts by BCP 47 tag.
 * @param language BCP 47 tag of the page.
 */
function pickLanguage<Text>(texts: Readonly<Record<string, Text>>, language: string): Text | undefined {
	const entries = Object.entries(texts);
	const wanted = language.toLowerCase();
	const found =
		entries.find(([tag]) => tag.toLowerCase() === wanted) ??
		entries.find(([tag]) => baseLanguage(tag) === baseLanguage(wanted)) ??
		entries.find(([tag]) => baseLanguage(tag) === 'en') ??
		entries[0];
	return found?.[1];
}
