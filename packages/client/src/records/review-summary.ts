import type { CountSummary } from '../contract/index.js';
import { orEmpty, orUndefined } from './read.js';

/** A topic over all reviews of a product, with its mentions by sentiment. */
export interface Topic {
	readonly key: string;
	/** The topic's name by language tag; `en` and `pt` are documented, but there may be others. */
	readonly names: Readonly<Record<string, string>>;
	readonly total: number;
	readonly positive: number;
	readonly negative: number;
	readonly neutral: number;
}

/** Counts over all reviews of a product (operation 2). */
export interface ReviewSummary {
	/** Average rating in stars. */
	readonly average: number;
	/** Number of ratings. */
	readonly count: number;
	/** Number of reviews by stars. */
	readonly distribution: Readonly<Record<1 | 2 | 3 | 4 | 5, number>>;
	/** Number of reviews that recommend the product, as the service sends it. */
	readonly recommendCount: number | undefined;
	readonly topics: readonly Topic[];
	/** Summaries of topics by language tag. */
	readonly topicSummaries: Readonly<Record<string, readonly { topic: string; text: string }[]>>;
	/** The summary as the service sent it, including unknown fields. */
	readonly source: CountSummary;
}

/** Converts `dataCount` of operation 2 to the names used by the rest of the code. */
export function toReviewSummary(summary: CountSummary): ReviewSummary {
	return {
		average: summary.avgrtng ?? 0,
		count: summary.prtng ?? 0,
		distribution: {
			1: summary.str1 ?? 0,
			2: summary.str2 ?? 0,
			3: summary.str3 ?? 0,
			4: summary.str4 ?? 0,
			5: summary.str5 ?? 0,
		},
		recommendCount: summary.rcmnd ?? undefined,
		topics: orEmpty(summary.aitopics).flatMap(toTopic),
		topicSummaries: toTopicSummaries(summary.topicsmry),
		source: summary,
	};
}

function toTopic(topic: NonNullable<CountSummary['aitopics']>[number]): Topic[] {
	if (!topic.key) return [];
	const names = Object.entries(topic.translations ?? {}).flatMap(([language, name]) =>
		name ? [[language, name] as const] : [],
	);
	return [
		{
			key: topic.key,
			names: Object.fromEntries(names),
			total: topic.total_count ?? 0,
			positive: topic.positive_count ?? 0,
			negative: topic.negative_count ?? 0,
			neutral: topic.neutral_count ?? 0,
		},
	];
}

function toTopicSummaries(summaries: CountSummary['topicsmry']): ReviewSummary['topicSummaries'] {
	const entries = Object.entries(summaries ?? {}).map(([language, items]) => [
		language,
		orEmpty(items).flatMap(({ topic, text }) => {
			const said = orUndefined(text);
			return topic && said ? [{ topic, text: said }] : [];
		}),
	]);
	return Object.fromEntries(entries);
}
