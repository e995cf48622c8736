import { ReviewsHttpError } from 'product-reviews-client';
import { ServiceError } from '../errors.js';

/** A final answer of the service: what it was asked, or who asked, is wrong. */
export interface Refusal {
	readonly status: number;
	readonly operation: 'starRating' | 'productReviewData' | 'crawlerReviews' | undefined;
}

/** The refusal that an error tells of, from this thread or another; `undefined` for any other failure. */
export function refusalOf(error: unknown): Refusal | undefined {
	if (error instanceof ServiceError) return error.refusal;
	if (!(error instanceof ReviewsHttpError) || !REFUSALS.has(error.status)) return undefined;
	return { status: error.status, operation: error.operation };
}

/** Bad request, unauthorized, forbidden, not found. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 404]);
