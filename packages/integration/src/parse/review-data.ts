import type { AggregateRating } from './record.js';

/**
 * Everything that the service has about the reviews of one product (operation 2), checked. It contains only printable text,
 * cut at the limits, and http(s) addresses; and of people only the name, the place and what they wrote.
 */
export interface ReviewData {
	readonly pid: string;
	/** `undefined` if the product has no rating. */
	readonly aggregate: AggregateRating | undefined;
	/** Number of reviews, by stars. */
	readonly distribution: Readonly<Record<1 | 2 | 3 | 4 | 5, number>>;
	/** Number of reviewers who recommend the product. */
	readonly recommendCount: number | undefined;
	readonly topics: readonly ReviewTopic[];
	/** Summaries of what reviews say about topics, by the BCP 47 tag of the text's language. */
	readonly topicSummaries: Readonly<Record<string, readonly TopicSummary[]>>;
	/** In the service's order. */
	readonly reviews: readonly FullReview[];
	readonly media: readonly ReviewMediaItem[];
	readonly questions: readonly ProductQuestion[];
	/** May be more than the length of `questions`. */
	readonly questionCount: number;
}

/** A topic of reviews, with how often and in what tone it is mentioned. */
export interface ReviewTopic {
	/** Identifies the topic; shown to people if there is no name. */
	readonly key: string;
	/** Its name by BCP 47 tag. */
	readonly names: Readonly<Record<string, string>>;
	readonly total: number;
	readonly positive: number;
	readonly negative: number;
	readonly neutral: number;
}

/** Summary of what reviews say about a topic, in one language. */
export interface TopicSummary {
	readonly topic: string;
	readonly text: string;
}

/** One review with everything that its author allows to be shown. */
export interface FullReview {
	/** Unique among the reviews of the product, for use in anchors and the like. Not the id of a person. */
	readonly key: string;
	/** Stars, 1 to 5; halves and tenths occur. `undefined` if the service sent no such number. */
	readonly rating: number | undefined;
	/** According to the option `author`: the full name, the first name or initials. */
	readonly author: string | undefined;
	readonly title: string | undefined;
	/** May contain line breaks (`\n`). */
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
	/** The merchant's questions with their answers, one text each. */
	readonly customQuestions: readonly string[];
	readonly topics: readonly { readonly key: string; readonly sentiment: string | undefined }[];
	/** Whether the author bought the product. */
	readonly verified: boolean;
	/** Whether the merchant pinned it to the top. */
	readonly pinned: boolean;
	/** Whether the merchant shows it as a testimonial. */
	readonly testimonial: boolean;
	/** Whether the author recommends the product; `undefined` if the service does not say. */
	readonly recommends: boolean | undefined;
	readonly helpfulCount: number;
	readonly unhelpfulCount: number;
	/** Where the review was imported from. */
	readonly externalSource: string | undefined;
}

/** Images and videos of one review. */
export interface ReviewMediaItem
	extends Pick<FullReview, 'author' | 'rating' | 'title' | 'body' | 'date' | 'verified'> {
	/** Unique among the items of the product. */
	readonly key: string;
	/** Absolute http(s) addresses. */
	readonly images: readonly string[];
	/** Absolute http(s) addresses. */
	readonly videos: readonly string[];
}

/** A question about the product, and its answer. */
export interface ProductQuestion {
	/** Unique among the questions of the product. */
	readonly key: string;
	readonly question: string;
	readonly answer: string | undefined;
	/** According to the option `author`. */
	readonly author: string | undefined;
	/** `YYYY-MM-DD`. */
	readonly askedOn: string | undefined;
	/** `YYYY-MM-DD`. */
	readonly answeredOn: string | undefined;
}
