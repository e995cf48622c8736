import type { ReviewSource } from './source.js';

/** What a page that is rendered elsewhere may call. */
export const REMOTE_METHODS = [
	'getFragment',
	'getProductReviews',
	'getStarRating',
	'getReviewData',
	'digestOf',
	'place',
] as const satisfies readonly (keyof ReviewSource)[];

/** A call of a page that is rendered elsewhere, as it travels. */
export interface RemoteCall {
	readonly method: (typeof REMOTE_METHODS)[number];
	readonly args: readonly unknown[];
	/** Path of the page's address; left out where the caller does not know it. */
	readonly page?: string | undefined;
}

/** What a call failed with. */
export interface RemoteError {
	readonly name: string;
	readonly message: string;
}
