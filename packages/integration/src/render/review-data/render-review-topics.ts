import type { ReviewData, ReviewTopic, TopicSummary } from '../../parse/record.js';
import type { ProductId } from '../../text/product-id.js';
import type { Component } from '../component.js';
import { fillLabel } from '../fill-label.js';
import { type Html, html } from '../html.js';
import type { RenderOptions } from '../render-options.js';
import {
	dataComponent,
	type PartContext,
	type PartProps,
	partContext,
	type RootAttributes,
	readCount,
	renderShareBar,
} from './parts.js';

/** Props of `<ReviewTopics>`. Others, such as `class`, go to its root element. */
export type ReviewTopicsProps = {
	/** Product id, as the review service knows it. A number is read as its decimal string. */
	pid: ProductId;
} & TopicsProps &
	Record<string, unknown>;

export interface TopicsProps extends PartProps {
	/** Maximum number of topics, in the service's order. @default 8 */
	limit?: number | undefined;
}

/** The html of `<ReviewTopics>` on one line; empty for a product without topics. */
export function renderReviewTopics(
	data: ReviewData | undefined,
	{ limit, ...props }: TopicsProps & RootAttributes,
	options: RenderOptions,
): string {
	const context = partContext(props, options, 'review-topics', 'topics');
	const most = readCount('limit', limit ?? 8);
	if (!data) return '';
	const summaries = [...(pickLanguage(data.topicSummaries, context.language) ?? [])];
	const topics = data.topics.map((topic) => ({ topic, summary: takeSummary(topic, summaries) }));
	const items = [
		...topics.map(({ topic, summary }) => renderTopic(topic, summary, context)),
		// The service has no mention counts for these.
		...summaries.map(({ topic, text }) => renderItem(topic, undefined, text)),
	].slice(0, most);
	if (items.length === 0) return '';
	return context.wrap(html`<ul class="review-topics-list" role="list">${items}</ul>`).toString();
}

/** A summary refers to its topic by key, or by its name in any language. */
function takeSummary(topic: ReviewTopic, summaries: TopicSummary[]): string | undefined {
	const names = [topic.key, ...Object.values(topic.names)].map((name) => name.toLowerCase());
	const index = summaries.findIndex((summary) => names.includes(summary.topic.toLowerCase()));
	return index === -1 ? undefined : summaries.splice(index, 1)[0]?.text;
}

const TONES = ['positive', 'neutral', 'negative'] as const;

function renderTopic(topic: ReviewTopic, summary: string | undefined, context: PartContext): Html {
	const { labels, language } = context;
	const mentions = topic.positive + topic.neutral + topic.negative;
	const parts = TONES.map((tone) => ({ tone, share: mentions > 0 ? topic[tone] / mentions : 0 }));
	const told = parts.filter(({ share }) => share > 0);
	const shares = told.map(
		({ tone, share: percent }) =>
			html`<li class="review-topic-${tone}">${fillLabel(labels[tone], { percent }, language)}</li>`,
	);
	const count = topic.total > 0 ? topic.total : mentions;
	const numbers = html`${count > 0 && html` <span class="review-topic-count">${fillLabel(labels.mentions, { count }, language)}</span>`}${
		told.length > 0 && html`${renderShareBar(told)}<ul class="review-topic-shares" role="list">${shares}</ul>`
	}`;
	return renderItem(pickLanguage(topic.names, language) ?? topic.key, numbers, summary);
}

function renderItem(name: string, numbers: Html | undefined, summary: string | undefined): Html {
	return html`<li class="review-topic"><span class="review-topic-name" dir="auto">${name}</span>${numbers}${
		summary !== undefined && html`<p class="review-topic-summary" dir="auto">${summary}</p>`
	}</li>`;
}

/** `<ReviewTopics>` */
export const reviewTopics: Component<'review-data'> = dataComponent((data, props, options) => ({
	html: renderReviewTopics(data, props, options),
	facts: [],
}));

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
		entries.find(([tag]) => baseOf(tag) === baseOf(wanted)) ??
		entries.find(([tag]) => baseOf(tag) === 'en') ??
		entries[0];
	return found?.[1];
}

function baseOf(tag: string): string | undefined {
	return tag.toLowerCase().split('-', 1)[0];
}
