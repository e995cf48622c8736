/**
 * One review. Text only: printable, cut at the limits, never markup. Crawler-readable reviews (operation 3) have the fields
 * up to `date`, and review data (operation 2) has all of them.
 */
export interface Review {
	readonly productName: string | undefined;
	/** Absolute http(s) address of the product page. */
	readonly productUrl: string | undefined;
	/** According to the option `author`: the full name, the first name or initials. */
	readonly author: string | undefined;
	/** Stars, 1 to 5; halves and tenths occur. `undefined` if the service sent no such number. */
	readonly rating: number | undefined;
	readonly title: string | undefined;
	/** May contain line breaks (`\n`). */
	readonly body: string | undefined;
	/** `YYYY-MM-DD`. */
	readonly date: string | undefined;
	/** Unique among the reviews of the product, for use in anchors and the like. Not the id of a person. */
	readonly key?: string;
	readonly city?: string | undefined;
	readonly state?: string | undefined;
	readonly country?: string | undefined;
	/** Absolute http(s) address. */
	readonly productImageUrl?: string | undefined;
	/** Absolute http(s) addresses. */
	readonly images?: readonly string[];
	/** Absolute http(s) addresses. */
	readonly videos?: readonly string[];
	readonly tags?: readonly string[];
	/** The merchant's questions with their answers, one text each. */
	readonly customQuestions?: readonly string[];
	readonly topics?: readonly { readonly key: string; readonly sentiment: string | undefined }[];
	/** Whether the author bought the product. */
	readonly verified?: boolean;
	/** Whether the merchant pinned it to the top. */
	readonly pinned?: boolean;
	/** Whether the merchant shows it as a testimonial. */
	readonly testimonial?: boolean;
	/** Whether the author recommends the product; `undefined` if the service does not say. */
	readonly recommends?: boolean | undefined;
	readonly helpfulCount?: number;
	readonly unhelpfulCount?: number;
	/** Where the review was imported from. */
	readonly externalSource?: string | undefined;
}

/** One review as shown in the service's html. */
export type DisplayedReview = Review;

/** One review with everything that its author allows to be shown. */
export type FullReview = Required<Review>;

/** One review as stated in the service's structured data. */
export interface StatedReview extends Pick<Review, 'author' | 'rating' | 'body' | 'date'> {
	/** Organization that published the review. */
	readonly publisher: string | undefined;
}

/** Average rating and count over all ratings of a product. */
export interface AggregateRating {
	/** Stars, 1 to 5. */
	readonly average: number;
	/** At least 1. */
	readonly count: number;
}

/** The reviews of one product, checked: what the store keeps and the components write. */
export interface ProductReviews<Stated = StatedReview> {
	readonly pid: string;
	/** `undefined` if the product has no rating. */
	readonly aggregate: AggregateRating | undefined;
	/** Heading over the reviews, as sent by the service. */
	readonly heading: string | undefined;
	/** The service's id of the html block. */
	readonly blockId: string | undefined;
	/** The service's handle of the html block. */
	readonly handle: string | undefined;
	readonly reviews: readonly DisplayedReview[];
	/** `undefined` if the service sent none, as for a product without a published review. */
	readonly schema: StructuredData<Stated> | undefined;
}

/** The structured data of a product, except its aggregate rating. */
export interface StructuredData<Stated = StatedReview> {
	readonly name: string | undefined;
	/** Absolute http(s) address of the product page. */
	readonly url: string | undefined;
	readonly reviews: readonly Stated[];
}

/** Lowest and highest rating of the service ("Rating: <n>/5", `worstRating` "1", `bestRating` "5"). */
const WORST_RATING = 1;

const BEST_RATING = 5;

/** A rating within the service's scale, to two decimals. Anything else is `undefined`, and never clamped. */
export function usableRating(value: number): number | undefined {
	if (!Number.isFinite(value) || value < WORST_RATING || value > BEST_RATING) return undefined;
	return Math.round(value * 100) / 100;
}

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
	/** According to the option `authorNames`. */
	readonly author: string | undefined;
	/** `YYYY-MM-DD`. */
	readonly askedOn: string | undefined;
	/** `YYYY-MM-DD`. */
	readonly answeredOn: string | undefined;
}

/** A record as the store keeps it: what html and structured data have in common is stored once. */
export type CondensedRecord = ProductReviews<StatedReview | SameReview>;

/** A review that equals the one at the same position in the html. */
interface SameReview {
	readonly same: true;
	readonly publisher?: string | undefined;
}

/** The record at about half its size, since most products say everything twice. {@link restoreRecord} is the inverse. */
export function condenseRecord(record: ProductReviews): CondensedRecord {
	return mapStated(record, (stated, shown) => {
		const isSame = shown && SAME_FIELDS.every((field) => stated[field] === shown[field]);
		return isSame ? { same: true, publisher: stated.publisher } : stated;
	});
}

/** The record that was given to {@link condenseRecord}. */
export function restoreRecord(condensed: CondensedRecord): ProductReviews {
	return mapStated(condensed, (stated, shown) => {
		if (!('same' in stated)) return stated;
		const { author, rating, body, date } = shown as Review;
		return { author, rating, publisher: stated.publisher, body, date };
	});
}

const SAME_FIELDS = ['author', 'rating', 'body', 'date'] as const;

function mapStated<From, To>(
	{ schema, ...record }: ProductReviews<From>,
	map: (stated: From, shown: Review | undefined) => To,
): ProductReviews<To> {
	const reviews = schema?.reviews.map((stated, index) => map(stated, record.reviews[index]));
	return { ...record, schema: schema && { ...schema, reviews: reviews as To[] } };
}
