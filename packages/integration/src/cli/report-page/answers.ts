import type { ProductReport, ResourceReport } from '../../report/build-report.js';

/** What a build came to for one resource of a product. */
export interface Answer extends ResourceReport {
	readonly pid: string;
	readonly resource: 'reviews' | 'review data';
	/** Addresses of the pages that show the product. */
	readonly pages: readonly string[];
}

/** The outcomes of a report's products, reviews and review data one after the other. */
export function* answersOf(products: Iterable<ProductReport>): Generator<Answer> {
	for (const { pid, pages, reviewData, status, reason, ms, bytes } of products) {
		const reviews = { ...(status && { status }), ...(reason !== undefined && { reason }), ms, bytes };
		if (status || ms > 0) yield { pid, pages, resource: 'reviews', ...reviews };
		if (reviewData) yield { pid, pages, resource: 'review data', ...reviewData };
	}
}
