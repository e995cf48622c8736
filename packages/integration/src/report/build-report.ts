import type { PageFinding } from '../audit/audit.js';
import type { Outcome, Status } from '../outcomes/create-outcomes.js';
import type { Tally } from '../outcomes/tally.js';
import type { KeyCounts } from '../pages/page-keys.js';
import { VERSION } from '../version.js';
import { countStatuses, type Totals } from './count-statuses.js';

/** What a build says about its reviews, for programs: `product-reviews-report.json`. */
export interface BuildReport {
	/** Version of the integration. */
	readonly version: string;
	/** When the build ended: ISO 8601. */
	readonly builtAt: string;
	/** From the start of the build to its end, in milliseconds. */
	readonly ms: number;
	/**
	 * From the start of the build to the last answer of the service, in milliseconds: how long the reviews took, beside
	 * bundling and rendering. Left out where nothing was asked.
	 */
	readonly fetchMs?: number | undefined;
	/** Products by what they came to. */
	readonly totals: Totals;
	/** The same of what `getReviewData()` asked for. */
	readonly reviewData: Totals;
	readonly requests: {
		/** Tries again included. */
		readonly total: number;
		readonly retries: number;
		/** After decompression. */
		readonly bytes: number;
		readonly operations: Tally['operations'];
	};
	readonly pages: {
		/**
		 * Pages with reviews: those which this build rendered, and those which it took from Astro's cache. Left out where
		 * the build does not know which pages it renders.
		 */
		readonly withReviews?: number;
		/** Pages with a `cacheKey`; left out where the build is not incremental. */
		readonly incremental?: Readonly<KeyCounts>;
	};
	readonly store: {
		/** Size of its file; `undefined` where there is none. */
		readonly bytes: number | undefined;
		/** Products that were forgotten, since no build asked for them any more. */
		readonly pruned: number;
	};
	readonly audit: {
		/** Pages that were audited: those which this build rendered. */
		readonly pages: number;
		readonly findings: readonly PageFinding[];
	};
	/** Every product that was asked for or listed. */
	readonly products: Iterable<ProductReport>;
}

/** What one product came to. */
interface ProductReport extends ResourceReport {
	readonly pid: string;
	/** Addresses of the pages that show it; left out where the build does not know which pages it renders. */
	readonly pages?: readonly string[];
	/** What `getReviewData()` came to; left out where no page called it. */
	readonly reviewData?: ResourceReport;
}

interface ResourceReport {
	/** Left out where only the other resource was asked for. */
	readonly status?: Status;
	/** Why the service failed. */
	readonly reason?: string;
	/** What the service took, all tries together, in milliseconds. */
	readonly ms: number;
	/** What the service sent, after decompression. */
	readonly bytes: number;
}

/** What a report is made of. */
export interface ReportParts extends Pick<BuildReport, 'ms' | 'fetchMs' | 'pages' | 'store' | 'audit'> {
	readonly tally: Tally;
	/** Addresses of the pages that show a product; `undefined` where that is not known. */
	readonly pagesOf: ((pid: string) => readonly string[]) | undefined;
	/** Milliseconds since 1970. */
	readonly now: number;
}

export function createReport({ tally, pagesOf, now, ...parts }: ReportParts): BuildReport {
	const { requests, retries, bytes, operations, outcomes } = tally;
	const { reviews, 'review-data': reviewData } = outcomes;
	const toProductReport = (pid: string): ProductReport => {
		const data = reviewData.get(pid);
		return {
			pid,
			...toResourceReport(reviews.get(pid)),
			...(pagesOf && { pages: pagesOf(pid) }),
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
		requests: { total: requests, retries, bytes, operations },
		products: { [Symbol.iterator]: products },
	};
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
