import { ReviewsHttpError } from 'product-reviews-client';
import { type Refusal, ReviewServiceError } from '../errors.js';

/** The refusal that an error tells of, from this thread or another; `undefined` for any other failure. */
export function refusalOf(error: unknown): Refusal | undefined {
	if (error instanceof ReviewServiceError) return error.refusal;
	if (!(error instanceof ReviewsHttpError) || !REFUSALS.has(error.status)) return undefined;
	return { status: error.status, operation: error.operation };
}

/** Bad request, unauthorized, forbidden, not found. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 404]);
