import { readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { unlessFailing } from '../base/failures.js';
import { inChunks, reasonOf } from '../base/words.js';
import { makeFolder } from '../cache/open-database.js';
import { VERSION } from '../constants.js';
import { CommandError } from '../errors.js';
import type { PageFinding } from '../pages/audit.js';
import type { KeyCounts } from '../pages/build-pages.js';
import type { DroppedParts, DropReason } from '../records/field-reader.js';
import {
	droppedIn,
	type ProductResult,
	type ProductResults,
	type RequestCounts,
	type Status,
} from '../reviews/results.js';
import { replaceWhole } from './files.js';

export function sumOfParts(dropped: Iterable<{ readonly parts: DroppedParts }>): DroppedParts {
	const sum: Partial<Record<DropReason, number>> = {};
	for (const { parts } of dropped) {
		for (const [reason, times] of Object.entries(parts) as [DropReason, number][])
			sum[reason] = (sum[reason] ?? 0) + times;
	}
	return sum;
}

/** Products by outcome. */
export type Totals = Readonly<Record<Exclude<Status, 'unreadable'> | 'products', number>> & {
	/** Left out if there are none. */
	readonly unreadable?: number;
};

/** Counts the results of a build, or those of a report. */
export function countStatuses(results: {
	values(): Iterable<{ readonly status?: Status | undefined }>;
}): Totals {
	const totals = { products: 0, fetched: 0, unchanged: 0, missing: 0, stale: 0, failed: 0, unreadable: 0 };
	for (const { status } of results.values()) {
		if (!status) continue;
		totals.products += 1;
		totals[status] += 1;
	}
	const { unreadable, ...others } = totals;
	return unreadable === 0 ? others : totals;
}

/** The report of a build, for programs: `product-reviews-report.json`. */
export interface BuildReport {
	/** Version of the integration. */
	readonly version: string;
	/** Time at which the build ended: ISO 8601. */
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
	readonly requests: RequestCounts['totals'];
	readonly pages: {
		/** Pages with reviews: those that this build rendered, and those that it took from Astro's cache. */
		readonly withReviews: number;
		/** Pages with a `cacheKey`. Left out if the build is not incremental. */
		readonly incremental?: Readonly<KeyCounts>;
	};
	readonly cache: {
		/** Size of the cache's file; `undefined` if there is none. */
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
	readonly dropped?: DroppedParts | undefined;
	/** Outcome of `getReviewData()`. Left out if no page called it. */
	readonly reviewData?: ResourceReport | undefined;
}

/** Outcome of one request for a product. */
export interface ResourceReport {
	/** Left out if only the other resource was requested. */
	readonly status?: Status | undefined;
	/** Failure of the service, in words. */
	readonly reason?: string | undefined;
	/** Time the service took for all attempts, in milliseconds. */
	readonly ms: number;
	/** Bytes that the service sent, after decompression. */
	readonly bytes: number;
}

export interface ReportParts
	extends Pick<BuildReport, 'ms' | 'fetchMs' | 'requests' | 'pages' | 'cache' | 'audit'> {
	readonly results: ProductResults;
	readonly pagesOf: (pid: string) => readonly string[];
	readonly now: number;
}

export function createReport({ results, pagesOf, now, ...parts }: ReportParts): BuildReport {
	const { reviews, 'review-data': reviewData } = results;
	// A product is in the list once for each of its answers.
	const droppedOf = Map.groupBy(droppedIn(results), ({ pid }) => pid);

	function* products(): Generator<ProductReport> {
		for (const pid of new Set([...reviews.keys(), ...reviewData.keys()])) {
			const data = reviewData.get(pid);
			const dropped = droppedOf.get(pid);
			yield {
				pid,
				...toResourceReport(reviews.get(pid)),
				pages: pagesOf(pid),
				dropped: dropped && sumOfParts(dropped),
				reviewData: data && toResourceReport(data),
			};
		}
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

function toResourceReport(result: Partial<ProductResult> = {}): ResourceReport {
	const { status, reason, ms = 0, bytes = 0 } = result;
	return { status, reason, ms: Math.round(ms), bytes };
}

/** A report as it is in its file, with all products in memory. */
export interface ReadReport extends BuildReport {
	readonly products: readonly ProductReport[];
}

/**
 * Reads the report of the last build.
 * @param name the file, for messages.
 * @throws CommandError if there is no report, or the file is not one.
 */
export function readReport(file: string, name: string): ReadReport {
	let text: string;
	try {
		text = readFileSync(file, 'utf8');
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code === 'ENOENT') {
			throw noReport(
				`There is no report at ${name}.`,
				'A build writes it beside the cache. Build once, or name the cache with --cache-file.',
				cause,
			);
		}
		const message = `The report at ${name} cannot be read: ${reasonOf(cause)}.`;
		throw noReport(message, 'Make the file readable, or build again.', cause);
	}
	const report = unlessFailing(() => JSON.parse(text) as ReadReport | null);
	const isReport = typeof report?.builtAt === 'string' && typeof report.version === 'string';
	if (isReport && report.totals && Array.isArray(report.products)) return report;
	throw noReport(`The file at ${name} is not a build report.`, 'The next build writes a new one.');
}

function noReport(message: string, hint: string, cause?: unknown): CommandError {
	return new CommandError('PR_NO_REPORT', message, hint, { cause });
}

/**
 * Writes the report of a build, completely or not at all. Each product is one line.
 * @param file path; folders are made.
 * @throws Error if it cannot be written.
 */
export function writeReport(file: string, report: BuildReport): void {
	makeFolder(dirname(file));
	replaceWhole(file, (descriptor) => {
		for (const chunk of inChunks(linesOf(report))) writeFileSync(descriptor, chunk);
	});
}

function* linesOf({ products, ...others }: BuildReport): Generator<string> {
	const head = JSON.stringify(others, undefined, '\t');
	yield `${head.slice(0, head.lastIndexOf('\n}'))},\n\t"products": [`;
	let separator = '\n';
	for (const product of products) {
		yield `${separator}\t\t${JSON.stringify(product)}`;
		separator = ',\n';
	}
	yield '\n\t]\n}\n';
}
