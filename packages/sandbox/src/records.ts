/** A product of the store, by full names. */
export interface Product {
	/** Product id: any string that is not empty. */
	readonly pid: string;
	readonly name: string;
	/** Free text; the seed uses `kitchen`, `home`, `garden`, `outdoor`, `desk` and `kids`. */
	readonly category: string;
	/** Address of the product page; `null`: the address that the `productUrl` option gives. */
	readonly url: string | null;
	/** Address of the product's picture, may be empty; `/media/...` is one that the sandbox serves. */
	readonly imageUrl: string;
	/** ISO 8601 in UTC: when the product, one of its reviews or one of its questions last changed. */
	readonly changedAt: string;
}

/** Only published reviews are ever sent by the three operations. */
export type ReviewStatus = 'published' | 'unpublished';

/** A subject that a review speaks of. */
export interface ReviewTopic {
	readonly key: string;
	readonly sentiment: 'positive' | 'negative' | 'neutral';
}

/** A review, by full names. Texts that the author left out are empty. */
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

/** What else the service keeps of a review. */
export interface ReviewDetails {
	readonly city: string;
	readonly state: string;
	readonly country: string;
	/** ISO 3166 code of two letters. */
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
	/** Addresses of the author's pictures; `/media/...` are those that the sandbox serves. */
	readonly images: readonly string[];
	/** Addresses of the author's videos, as those of pictures. */
	readonly videos: readonly string[];
	readonly tags: readonly string[];
	readonly topics: readonly ReviewTopic[];
	/** Where the review was imported from; empty for the store's own. */
	readonly importedFrom: string;
}

/** A customer's question about one or more products. */
export interface Question {
	readonly id: string;
	readonly pids: readonly string[];
	readonly question: string;
	/** Empty while nobody has answered. */
	readonly answer: string;
	readonly author: string;
	/** ISO 8601 in UTC. */
	readonly askedAt: string;
	/** ISO 8601 in UTC; `null` while nobody has answered. */
	readonly answeredAt: string | null;
}
