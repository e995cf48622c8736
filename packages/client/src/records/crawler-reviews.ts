import type { CrawlerReviewsResponse } from '../contract/index.js';
import type { Validators } from './validators.js';

/** The crawler-readable reviews of one product as the service sent them (operation 3): untrusted text. */
export interface CrawlerReviews {
	/** Product id, as requested. */
	readonly pid: string;
	/** Count and average over all ratings of the product. `average` is 0 if the service sent none. */
	readonly aggregate: { readonly count: number; readonly average: number };
	/** Html of the reviews; empty if it was not requested. Never print it: parse it. */
	readonly html: string;
	/** A `script` element with JSON-LD; empty for a product without a published review. Never print it: parse it. */
	readonly jsonld: string;
	/** For the option `known` of the next request; omitted if the service sent none that are usable. */
	readonly validators?: Validators;
}

/** Converts a response of operation 3 to the names used by the rest of the code. */
export function toCrawlerReviews(response: CrawlerReviewsResponse): CrawlerReviews {
	return {
		pid: response.pid,
		aggregate: { count: response.dataCount.prtng, average: response.dataCount.avgrtng ?? 0 },
		html: response.html ?? '',
		jsonld: response.jsonld ?? '',
	};
}

/** The result for a product that the service does not know: no reviews. */
export function noCrawlerReviews(pid: string): CrawlerReviews {
	return { pid, aggregate: { count: 0, average: 0 }, html: '', jsonld: '' };
}
