import { ProductReviewsError } from '../errors.js';

/** Advice for a page that cannot reach the build. */
export const RENDER_IN_NODE =
	'Have the adapter render prerendered pages in Node: for @astrojs/cloudflare, set its option `prerenderEnvironment` to "node".';

/** A page requested reviews, but could reach neither the build that renders it nor a dev server. */
export class NoReviewSourceError extends ProductReviewsError {
	override name = 'NoReviewSourceError';

	constructor(options?: ErrorOptions) {
		super(
			'PR_NO_REVIEW_SOURCE',
			// With the advice, because another runtime may only pass the message on.
			`This page is rendered outside of the build, where its reviews cannot be reached over 127.0.0.1. ${RENDER_IN_NODE} To build such pages without reviews, set the option "onError" of productReviews() to "omit".`,
			'Run "npx astro-product-reviews doctor" if the adapter is another one.',
			options,
		);
	}
}

/** Replaces reviews that a page could not reach if `onError` is `'omit'`, so that the build can count such pages. */
export const NO_SOURCE_MARK = '<!--product-reviews: not reached-->';
