import type { ReviewSource } from './source.js';

/** Methods that pages rendered in another process may call. */
export const REMOTE_METHODS = [
	'getFragment',
	'getProductReviews',
	'getStarRating',
	'getReviewData',
	'digestOf',
	'place',
] as const satisfies readonly (keyof ReviewSource)[];

/** The body of such a call. */
export interface RemoteCall {
	readonly method: (typeof REMOTE_METHODS)[number];
	readonly args: readonly unknown[];
	/** Path of the page's address; omitted if unknown. */
	readonly page?: string | undefined;
}

/** The error of a failed call. */
export interface RemoteError {
	readonly name: string;
	readonly message: string;
}
