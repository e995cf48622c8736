import type { AggregateRating } from './record.js';

/**
 * Everything that the service holds about the reviews of one product (operation 2), checked: text only, printable and cut at
 * the limits, addresses http(s) only, and of the people nothing but the name, the place and what they wrote.
 */
export interface ReviewData {
	readonly pid: string;
	/** `undefined` where the product has no rating. */
	readonly aggregate: AggregateRating | undefined;
	/** How many reviews have so many stars. */
	readonly distribution: Readonly<Record<1 | 2 | 3 | 4 | 5, number>>;
	/** How many recommend the product. */
	readonly recommendCount: number | undefined;
	readonly topics: readonly ReviewTopic[];
	/** What reviews say of topics, by BCP 47 tag of the text's language. */
	readonly topicSummaries: Readonly<Record<string, readonly TopicSummary[]>>;
	/** In the service's order. */
	readonly reviews: readonly FullReview[];
	readonly media: readonly ReviewMediaItem[];
	readonly questions: readonly ProductQuestion[];
	/** May be more than `questions` holds. */
	readonly questionCount: number;
}

/** What reviews talk about, how often and in what tone. */
export interface ReviewTopic {
	/** Tells it from the others; for people where no name is known. */
	readonly key: string;
	/** Its name by BCP 47 tag. */
	readonly names: Readonly<Record<string, string>>;
	readonly total: number;
	readonly positive: number;
	readonly negative: number;
	readonly neutral: number;
}

/** What reviews say of a topic, in one language. */
export interface TopicSummary {
	readonly topic: string;
	readonly text: string;
}

/** One review with all that its author allowed to be shown. */
export interface FullReview {
	/** Tells it from the other reviews of the product, such as for an anchor; not the id of a person. */
	readonly key: string;
	/** Stars, 1 to 5; halves and tenths occur. `undefined` where the service sent no such number. */
	readonly rating: number | undefined;
	/** As the option `author` has it: the full name, the first name or initials. */
	readonly author: string | undefined;
	readonly title: string | undefined;
	/** May hold line breaks (`\n`). */
	readonly body: string | undefined;
	/** `YYYY-MM-DD`. */
	readonly date: string | undefined;
	readonly city: string | undefined;
	readonly state: string | undefined;
	readonly country: string | undefined;
	readonly productName: string | undefined;
	/** Absolute http(s) address. */
	readonly productUrl: string | undefined;
	/** Absolute http(s) address. */
	readonly productImageUrl: string | undefined;
	/** Absolute http(s) addresses. */
	readonly images: readonly string[];
	/** Absolute http(s) addresses. */
	readonly videos: readonly string[];
	readonly tags: readonly string[];
	/** Questions of the merchant with their answers, one text each. */
	readonly customQuestions: readonly string[];
	readonly topics: readonly { readonly key: string; readonly sentiment: string | undefined }[];
	/** Whether the author bought the product. */
	readonly verified: boolean;
	/** Whether the merchant wants it first. */
	readonly pinned: boolean;
	/** Whether the merchant shows it as a testimonial. */
	readonly testimonial: boolean;
	/** Whether the author recommends the product; `undefined` where the service does not say. */
	readonly recommends: boolean | undefined;
	readonly helpfulCount: number;
	readonly unhelpfulCount: number;
	/** Where the review was imported from. */
	readonly externalSource: string | undefined;
}

/** Images and videos of one review. */
export interface ReviewMediaItem
	extends Pick<FullReview, 'author' | 'rating' | 'title' | 'body' | 'date' | 'verified'> {
	/** Tells it from the other items of the product. */
	readonly key: string;
	/** Absolute http(s) addresses. */
	readonly images: readonly string[];
	/** Absolute http(s) addresses. */
	readonly videos: readonly string[];
}

/** A question about the product, and its answer. */
export interface ProductQuestion {
	/** Tells it from the other questions of the product. */
	readonly key: string;
	readonly question: string;
	readonly answer: string | undefined;
	/** As the option `author` has it. */
	readonly author: string | undefined;
	/** `YYYY-MM-DD`. */
	readonly askedOn: string | undefined;
	/** `YYYY-MM-DD`. */
	readonly answeredOn: string | undefined;
}
