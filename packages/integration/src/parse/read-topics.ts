import type { Drop } from './dropped-parts.js';
import { type FieldReader, fieldsOf } from './field-reader.js';
import { MAX_LANGUAGES, MAX_TEXT_LENGTH, MAX_TOPICS } from './limits.js';
import type { ReviewData, ReviewTopic, TopicSummary } from './review-data.js';

/** Reads the topics of reviews from the counts over all reviews of a product. */
export function readTopics(
	summary: unknown,
	read: FieldReader,
	drop: Drop,
): Pick<ReviewData, 'topics' | 'topicSummaries'> {
	const { topics, topicSummaries } = fieldsOf(summary);
	const readSummary = (value: unknown): TopicSummary | undefined => {
		const fields = fieldsOf(value);
		const topic = read.line(fields['topic']);
		const text = read.text(fields['text']);
		return topic === undefined || text === undefined ? undefined : { topic, text };
	};
	return {
		topics: read.list(topics, (topic) => readTopic(topic, read, drop), MAX_TOPICS),
		topicSummaries: byLanguage(topicSummaries, drop, (items) => {
			const summaries = read.list(items, readSummary, MAX_TOPICS);
			return summaries.length > 0 ? summaries : undefined;
		}),
	};
}

function readTopic(value: unknown, read: FieldReader, drop: Drop): ReviewTopic | undefined {
	const fields = fieldsOf(value);
	const key = read.line(fields['key']);
	if (key === undefined) return undefined;
	return {
		key,
		names: byLanguage(fields['names'], drop, (name) => read.line(name)),
		total: read.count(fields['total']) ?? 0,
		positive: read.count(fields['positive']) ?? 0,
		negative: read.count(fields['negative']) ?? 0,
		neutral: read.count(fields['neutral']) ?? 0,
	};
}

/** Values by language, under canonical BCP 47 tags. Any other key is untrusted text, and left out. */
function byLanguage<Value>(
	given: unknown,
	drop: Drop,
	read: (value: unknown) => Value | undefined,
): Record<string, Value> {
	const entries = Object.entries(fieldsOf(given));
	for (let beyond = entries.length - MAX_LANGUAGES; beyond > 0; beyond--) drop('part-beyond-limit');
	const kept = entries.slice(0, MAX_LANGUAGES).flatMap(([key, value]) => {
		const language = languageTag(key);
		if (language === undefined) drop('part-unreadable');
		const found = language === undefined ? undefined : read(value);
		return found === undefined ? [] : [[language as string, found] as const];
	});
	return Object.fromEntries(kept);
}

/** Accepts languages of two or three letters, which covers all living ones, and `_` instead of `-`, as some systems write. */
function languageTag(key: string): string | undefined {
	const tag = key.replaceAll('_', '-');
	if (tag.length > MAX_TEXT_LENGTH.name || !/^[a-z]{2,3}(?:-[a-z\d]{1,8})*$/i.test(tag)) return undefined;
	try {
		return Intl.getCanonicalLocales(tag)[0];
	} catch {
		return undefined;
	}
}
