import type { PageFinding } from '../audit/audit.js';
import type { Dropped, Outcome, Status } from '../outcomes/create-outcomes.js';
import type { RequestTotals } from '../outcomes/create-request-counts.js';
import { droppedIn, type ProductOutcomes } from '../outcomes/product-outcomes.js';
import type { KeyCounts } from '../pages/page-keys.js';
import type { DroppedParts } from '../parse/dropped-parts.js';
import { VERSION } from '../version.js';
import { addParts } from './add-parts.js';
import { countStatuses, type Totals } from './count-statuses.js';

/** The report of a build, for programs: `product-reviews-report.json`. */
export interface BuildReport {
	/** Version of the integration. */
	readonly version: string;
	/** When the build ended: ISO 8601. */
	readonly builtAt: string;
	/** From the start of the build to its end, in milliseconds. */
	readonly ms: number;
	/**
	 * From the start of the build to the last answer of the service, in milliseconds: how long the reviews took, in parallel
	 * with bundling and rendering. Left out if nothing was requested.
	 */
	readonly fetchMs?: number | undefined;
	/** Products by outcome. */
	readonly totals: Totals;
	/** The same for what `getReviewData()` requested. */
	readonly reviewData: Totals;
	readonly requests: RequestTotals;
	readonly pages: {
		/** Pages with reviews: those that this build rendered, and those that it took from Astro's cache. */
		readonly withReviews: number;
		/** Pages with a `cacheKey`. Left out if the build is not incremental. */
		readonly incremental?: Readonly<KeyCounts>;
	};
	readonly store: {
		/** Size of its file; `undefined` if there is none. */
		readonly bytes: number | undefined;
		/** Products deleted because no build asked for them any more. */
		readonly pruned: number;
	};
	readonly audit: {
		/** Pages that were audited: those that this build rendered. */
		readonly pages: number;
		readonly findings: readonly PageFinding[];
	};
	/** Every product that was requested or listed. */
	readonly products: Iterable<ProductReport>;
}

/** Outcome of one product. */
export interface ProductReport extends ResourceReport {
	readonly pid: string;
	/** Addresses of the pages that show it. */
	readonly pages: readonly string[];
	/** Parts of the answers that could not be used, by reason. Left out if there are none. */
	readonly dropped?: DroppedParts;
	/** Outcome of `getReviewData()`. Left out if no page called it. */
	readonly reviewData?: ResourceReport;
}

/** Outcome of one request for a product. */
export interface ResourceReport {
	/** Left out if only the other resource was requested. */
	readonly status?: Status;
	/** Why the service failed. */
	readonly reason?: string;
	/** Time the service took for all attempts, in milliseconds. */
	readonly ms: number;
	/** What the service sent, after decompression. */
	readonly bytes: number;
}

/** Input of a report. */
export interface ReportParts
	extends Pick<BuildReport, 'ms' | 'fetchMs' | 'requests' | 'pages' | 'store' | 'audit'> {
	readonly outcomes: ProductOutcomes;
	/** Addresses of the pages that show a product. */
	readonly pagesOf: (pid: string) => readonly string[];
	/** Milliseconds since 1970. */
	readonly now: number;
}

export function createReport({ outcomes, pagesOf, now, ...parts }: ReportParts): BuildReport {
	const { reviews, 'review-data': reviewData } = outcomes;
	const droppedOf = droppedByProduct(droppedIn(outcomes));
	const toProductReport = (pid: string): ProductReport => {
		const data = reviewData.get(pid);
		const dropped = droppedOf.get(pid);
		return {
			pid,
			...toResourceReport(reviews.get(pid)),
			pages: pagesOf(pid),
			...(dropped && { dropped }),
			...(data && { reviewData: toResourceReport(data) }),
		};
	};
	function* products(): Generator<ProductReport> {
		for (const pid of reviews.keys()) yield toProductReport(pid);
		for (const pid of reviewData.keys()) if (!reviews.get(pid)) yield toProductReport(pid);
	}
	return {
		version: VERSION,
		builtAt: new Date(now).toISOString(),
		...parts,
		totals: countStatuses(reviews),
		reviewData: countStatuses(reviewData),
		products: { [Symbol.iterator]: products },
	};
}

/** A product is in the list once for each of its answers. */
function droppedByProduct(dropped: readonly Dropped[]): ReadonlyMap<string, DroppedParts> {
	const byProduct = new Map<string, DroppedParts>();
	for (const { pid, parts } of dropped) byProduct.set(pid, addParts(byProduct.get(pid), parts));
	return byProduct;
}

function toResourceReport({ status, reason, ms, bytes }: Outcome = NOTHING): ResourceReport {
	return {
		...(status && { status }),
		...(reason !== undefined && { reason }),
		ms: Math.round(ms),
		bytes,
	};
}

const NOTHING: Outcome = { status: undefined, ms: 0, bytes: 0 };
