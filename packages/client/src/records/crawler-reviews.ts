import type { CrawlerReviewsResponse } from '../contract/index.js';
import type { Validators } from './validators.js';

/** The crawler-readable reviews of one product as the service sent them (operation 3): untrusted text. */
export interface CrawlerReviews {
	/** Product id, as it was asked for. */
	readonly pid: string;
	/** Count and average over all ratings of the product. `average` is 0 where the service sent none. */
	readonly aggregate: { readonly count: number; readonly average: number };
	/** Html of the reviews; empty where it was not asked for. Never print it: parse it. */
	readonly html: string;
	/** A `script` element with JSON-LD; empty for a product without a published review. Never print it: parse it. */
	readonly jsonld: string;
	/** For the option `known` of the next request; left out where the service sent none that can be used. */
	readonly validators?: Validators;
}

/** Gives an answer of operation 3 the names that the rest of the code uses. */
export function toCrawlerReviews(response: CrawlerReviewsResponse): CrawlerReviews {
	return {
		pid: response.pid,
		aggregate: { count: response.dataCount.prtng, average: response.dataCount.avgrtng ?? 0 },
		html: response.html ?? '',
		jsonld: response.jsonld ?? '',
	};
}

/** What a product that the service does not know answers: no reviews. */
export function noCrawlerReviews(pid: string): CrawlerReviews {
	return { pid, aggregate: { count: 0, average: 0 }, html: '', jsonld: '' };
}
