import type { CountSummary } from 'product-reviews-client/contract';
import type { Review } from '../records.js';
import { TOPIC_NAMES } from './topic-names.js';

/** How often a topic is mentioned, by sentiment. */
interface TopicCount {
	readonly key: string;
	readonly positive: number;
	readonly negative: number;
	readonly neutral: number;
}

/** Creates `dataCount.aitopics` and `dataCount.topicsmry`: the topics of a product's reviews, most mentioned first. */
export function wireTopics(reviews: readonly Review[], pid: string, wsid: string) {
	const counts = countTopics(reviews);
	const aitopics = counts.map(({ key, positive, negative, neutral }) => ({
		_id: `topic-${pid}-${key}`,
		wsid,
		pid,
		key,
		translations: { en: nameOf(key, 'en'), pt: nameOf(key, 'pt') },
		total_count: positive + negative + neutral,
		positive_count: positive,
		negative_count: negative,
		neutral_count: neutral,
	}));
	const summary = (language: 'en' | 'pt') =>
		counts.slice(0, 3).map((count) => ({
			topic: nameOf(count.key, language),
			text: SENTENCES[language][toneOf(count)](nameOf(count.key, language)),
		}));
	return { aitopics, topicsmry: { en: summary('en'), pt: summary('pt') } } satisfies Partial<CountSummary>;
}

function countTopics(reviews: readonly Review[]): TopicCount[] {
	const counts = new Map<string, TopicCount>();
	for (const { key, sentiment } of reviews.flatMap(({ details }) => details.topics)) {
		const count = counts.get(key) ?? { key, positive: 0, negative: 0, neutral: 0 };
		counts.set(key, { ...count, [sentiment]: count[sentiment] + 1 });
	}
	const total = ({ positive, negative, neutral }: TopicCount) => positive + negative + neutral;
	return [...counts.values()].sort((a, b) => total(b) - total(a) || (a.key < b.key ? -1 : 1));
}

function toneOf({ positive, negative }: TopicCount): 'good' | 'mixed' | 'bad' {
	if (positive >= 3 * negative) return 'good';
	return negative >= 2 * positive ? 'bad' : 'mixed';
}

function nameOf(key: string, language: 'en' | 'pt'): string {
	return TOPIC_NAMES.get(key)?.[language] ?? key;
}

const SENTENCES = {
	en: {
		good: (name: string) => `${name}: most customers are very satisfied.`,
		mixed: (name: string) => `${name}: opinions differ.`,
		bad: (name: string) => `${name}: several customers see room for improvement.`,
	},
	pt: {
		good: (name: string) => `${name}: a maioria dos clientes está muito satisfeita.`,
		mixed: (name: string) => `${name}: as opiniões dividem-se.`,
		bad: (name: string) => `${name}: vários clientes veem margem para melhorar.`,
	},
};
