/** A product of the store, with readable field names. */
export interface Product {
	/** Product id: any non-empty string. */
	readonly pid: string;
	readonly name: string;
	/** Any text; the seed uses `kitchen`, `home`, `garden`, `outdoor`, `desk` and `kids`. */
	readonly category: string;
	/** URL of the product page; `null` to use the `productUrl` option. */
	readonly url: string | null;
	/** URL of the product's picture, or empty; `/media/...` for one that the sandbox serves. */
	readonly imageUrl: string;
	/** When the product, one of its reviews or one of its questions last changed: ISO 8601 in UTC. */
	readonly changedAt: string;
}

/** The three operations send published reviews only. */
export type ReviewStatus = 'published' | 'unpublished';

/** A topic that a review mentions. */
export interface ReviewTopic {
	readonly key: string;
	readonly sentiment: 'positive' | 'negative' | 'neutral';
}

/** A review, with readable field names. Texts that the author left out are empty. */
export interface Review {
	readonly id: string;
	readonly pid: string;
	readonly status: ReviewStatus;
	/** Stars, 1 to 5, halves allowed. */
	readonly rating: number;
	readonly title: string;
	readonly body: string;
	/** The author's name as shown, such as `Ingrid S.`. */
	readonly author: string;
	/** The review's date, ISO 8601 in UTC; `null` for a review without a date. */
	readonly publishedAt: string | null;
	/** ISO 8601 in UTC. */
	readonly updatedAt: string;
	readonly details: ReviewDetails;
}

/** Further data of a review. */
export interface ReviewDetails {
	readonly city: string;
	readonly state: string;
	readonly country: string;
	/** Two-letter ISO 3166 code. */
	readonly countryCode: string;
	/** Whether the author is known to have bought the product. */
	readonly verified: boolean;
	readonly recommended: boolean;
	readonly pinned: boolean;
	readonly testimonial: boolean;
	/** How many readers found the review helpful. */
	readonly helpful: number;
	/** How many readers did not. */
	readonly unhelpful: number;
	/** URLs of the author's pictures; `/media/...` for those that the sandbox serves. */
	readonly images: readonly string[];
	/** URLs of the author's videos, like those of the pictures. */
	readonly videos: readonly string[];
	readonly tags: readonly string[];
	readonly topics: readonly ReviewTopic[];
	/** Where the review was imported from; empty for the store's own reviews. */
	readonly importedFrom: string;
}

/** A customer's question about one or more products. */
export interface Question {
	readonly id: string;
	readonly pids: readonly string[];
	readonly question: string;
	/** Empty if the question has not been answered. */
	readonly answer: string;
	readonly author: string;
	/** ISO 8601 in UTC. */
	readonly askedAt: string;
	/** ISO 8601 in UTC; `null` if the question has not been answered. */
	readonly answeredAt: string | null;
}
