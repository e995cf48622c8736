import { rmSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import type { AstroIntegrationLogger } from 'astro';
import { codeOf, unlessFailing } from '../base/failures.js';
import { amount, count, nameProducts, reasonOf, size } from '../base/words.js';
import type { FetchOptions } from '../options/schema.js';
import type { DroppedParts, DropReason } from '../records/field-reader.js';
import { describeFailures } from '../reviews/describe-failures.js';
import { judgeFailures } from '../reviews/fetch-policy.js';
import {
	type Advise,
	answersIn,
	type Dropped,
	droppedIn,
	failuresIn,
	type ProductResults,
	type RequestCounts,
} from '../reviews/results.js';
import { type BuildReport, createReport, type ReportParts, sumOfParts, writeReport } from './report.js';

export type Logger = Pick<AstroIntegrationLogger, 'info' | 'warn'>;

const MAX_NAMED = 20;

export function describeDropped(dropped: readonly Dropped[]): string {
	const reasons = nameParts(sumOfParts(dropped)).join(', ');
	const pids = dropped.map(({ pid }) => pid);
	return `Parts of the reviews of ${count(pids.length, 'product')} could not be used: ${reasons}. Products: ${nameProducts(pids, MAX_NAMED)}. [PR_UNREADABLE_RESPONSE]`;
}

/** Names the parts that could not be used, and how often: "text cut at its limit (2)". */
export function nameParts(parts: DroppedParts): string[] {
	return Object.entries(parts).map(
		([reason, times]) => `${DESCRIPTIONS[reason as DropReason] ?? reason} (${amount(times)})`,
	);
}

const DESCRIPTIONS: Readonly<Record<DropReason, string>> = {
	'text-unreadable': 'text without a printable character',
	'text-cut': 'text cut at its limit',
	'unseen-characters-removed': 'text with characters that nobody can see, which were removed',
	'rating-unusable': 'rating that is not a number from 1 to 5',
	'address-refused': 'address that is not http(s)',
	'date-unreadable': 'date that is not an existing day',
	'review-empty': 'empty review',
	'review-beyond-limit': 'review beyond the limit',
	'review-lists-differ': 'html and JSON-LD with different numbers of reviews',
	'rating-differs': 'JSON-LD with a different number of ratings',
	'structured-data-unreadable': 'broken JSON-LD, rebuilt from the html',
	'html-unreadable': 'html without a readable review, rebuilt from the JSON-LD',
	'part-unreadable': 'value of a wrong type',
	'part-beyond-limit': 'part beyond the limit',
	'count-unusable': 'count that is not a whole number',
	'contact-details-removed': 'e-mail address or phone number in a name',
	'other-product': 'part of another product',
};

export interface WarningsContext {
	readonly unlisted?: readonly string[];
	/** Products without a rating whose stars are on pages, and that are not in the product list. */
	readonly unrated?: readonly string[];
	readonly duplicates?: ReadonlySet<string> | undefined;
	/** Failures that fail the build are in its error, and get no warning. @default 'omit' */
	readonly onError?: FetchOptions['onError'];
	/** Says what to check if the service refuses products. @default nothing */
	readonly advise?: Advise;
}

export function collectWarnings(results: ProductResults, context: WarningsContext = {}): string[] {
	const { unlisted = [], unrated = [], duplicates = new Set(), onError = 'omit' } = context;
	const { advise = () => undefined } = context;
	const { stale, leftOut } = judgeFailures(results, onError);
	const warnings = [...describeFailures(stale, advise), ...describeFailures(leftOut, advise)];
	const { failures } = results.rating;
	if (failures[0]) {
		const { reason, error } = failures[0];
		const isStale = failures.every((failure) => failure.stale);
		const pids = [...new Set(failures.map(({ pid }) => pid))];
		const why = [`First reason: ${reason}`, advise(failures)].filter(Boolean).join(' ');
		warnings.push(
			`Ratings of ${count(pids.length, 'product')} could not be fetched; ${isStale ? 'cached stars are shown' : 'stars that are not cached are left out'}: ${nameProducts(pids)}. ${why} [${codeOf(error)}]`,
		);
	}
	const dropped = droppedIn(results);
	if (dropped.length > 0) warnings.push(describeDropped(dropped));
	if (unlisted.length > 0) {
		warnings.push(
			`Pages show ${count(unlisted.length, 'product')} missing from the product list: ${nameProducts(unlisted)}. They were fetched one by one. Add them to the option "products". [PR_PRODUCT_LIST_DIFFERS]`,
		);
	}
	if (unrated.length > 0) {
		warnings.push(
			`Pages show stars of ${count(unrated.length, 'product')} missing from the product list, and without a rating: ${nameProducts(unrated)}. Check whether \`pid\` is the ID at the review service. [PR_PRODUCT_LIST_DIFFERS]`,
		);
	}
	if (duplicates.size > 0) {
		warnings.push(
			`The product list contains ${count(duplicates.size, 'product')} more than once: ${nameProducts([...duplicates])}. Each was fetched once. Remove the duplicates from the option "products". [PR_PRODUCT_LIST_DIFFERS]`,
		);
	}
	return warnings;
}

/**
 * Writes the five lines that a build logs about its reviews at its end, each short enough for a terminal. None if no page
 * and no list asked for reviews, as in a build whose pages are all rendered on demand.
 */
export function summarize(report: BuildReport, file: string): string[] {
	const { totals, requests, pages, cache } = report;
	const { products, fetched, unchanged, missing, stale, failed, unreadable = 0 } = totals;
	const { crawlerReviews, starRating, productReviewData } = requests.operations;
	const { incremental } = pages;
	if (products === 0 && requests.total === 0) return [];
	const without = `without reviews${missing > 0 && missing <= MAX_WITHOUT ? ` (${nameProducts(withoutReviews(report))})` : ''}`;
	const statuses = list({ fetched, unchanged, [without]: missing, stale, failed, unreadable });
	const sent = list({
		'for ratings': starRating,
		'for review data': productReviewData,
		'tried again': requests.retries,
	});
	const pruned = cache.pruned > 0 ? `, ${count(cache.pruned, 'unused product')} pruned` : '';
	const { keyed, rendered, changed } = incremental ?? { keyed: 0, rendered: 0, changed: 0 };
	const some = `${amount(keyed - rendered)} of ${amount(keyed)} with a cacheKey reused`;
	const reused = incremental ? `: ${some}, ${amount(changed)} changed` : '';
	return [
		products === 0
			? `Only ratings in lists${origin(report)}`
			: `${count(products, 'product')}${origin(report)}: ${statuses}`,
		requests.total === 0
			? 'No request was needed'
			: `${count(requests.total, 'request')} (${[`${amount(crawlerReviews)} for reviews`, sent].filter(Boolean).join(', ')}), ${size(requests.bytes)}`,
		`${count(pages.withReviews, 'page')} with reviews${reused}`,
		`Cache: ${cache.bytes === undefined ? 'in memory only' : size(cache.bytes)}${pruned}`,
		`Report: ${file}`,
	];
}

/** So few products without reviews are named: one of them may have a wrong ID. */
export const MAX_WITHOUT = 3;

/** Returns the products of which the service has no reviews. */
export function withoutReviews({ products }: BuildReport): string[] {
	return [...products].flatMap(({ pid, status }) => (status === 'missing' ? [pid] : []));
}

function origin({ fetchMs, totals }: BuildReport): string {
	if (fetchMs !== undefined) return ` in ${(fetchMs / 1_000).toFixed(1)} s`;
	return totals.unchanged + totals.missing === totals.products ? ' from the cache' : '';
}

/** Lists the counts that are not 0: "2 fetched, 1 stale". */
function list(counts: Readonly<Record<string, number>>): string {
	const shown = Object.entries(counts).filter(([, number]) => number > 0);
	return shown.map(([what, number]) => `${amount(number)} ${what}`).join(', ');
}

/** Removes the report of the previous build, which must not remain if this one fails. */
export function removeReport(file: string): void {
	// Where that fails, a new one cannot be written either, and the end of the build says so.
	unlessFailing(() => rmSync(file, { force: true }));
}

/**
 * Writes the report of a build, and logs five lines about how it went.
 * @param context `file` is the path of the report, `cacheFile` that of the cache's file, from which `pruned` unused products
 * were deleted.
 */
export function reportBuild({
	file,
	cacheFile,
	pruned,
	logger,
	...parts
}: Omit<ReportParts, 'cache'> & {
	readonly file: string;
	readonly cacheFile: string;
	readonly pruned: number;
	readonly logger: Logger;
}): void {
	const bytes = statSync(cacheFile, { throwIfNoEntry: false })?.size;
	const report = createReport({ ...parts, cache: { bytes, pruned } });
	let failure: unknown;
	try {
		writeReport(file, report);
	} catch (error) {
		failure = error;
	}
	const written = failure ? 'not written' : relative(process.cwd(), file);
	for (const line of summarize(report, written)) logger.info(line);
	if (failure)
		logger.warn(
			`The report could not be written: ${reasonOf(failure)}. The build goes on. [PR_FILE_NOT_WRITTEN]`,
		);
}

/** Minimum time between two lines, in milliseconds. Anything shorter needs no progress. */
const MIN_PAUSE = 1_000;
/** Lines for the whole prefetch if the output is not a terminal. */
const LINES_WITHOUT_TERMINAL = 10;
/** Time to the first line if the length of the list is unknown, in milliseconds. It doubles with each line. */
const FIRST_LINE_AFTER = 10_000;

export type Progress = ReturnType<typeof createProgress>;

/**
 * Reports the progress of a prefetch: on a terminal, one line for each tick in which something happened; elsewhere, ten
 * lines in total, one for each tenth of the list.
 */
export function createProgress(isTerminal: boolean, log: (line: string) => void, now = Date.now) {
	let startedAt = now();
	let hasBegun = false;
	let lines = 0;
	let last = { done: 0, requests: 0, at: startedAt };
	const isDue = (requests: number, at: number): boolean => {
		const { done, total } = progress;
		// Reading from the cache alone is too quick to need progress.
		if (requests === 0 || at - last.at < MIN_PAUSE) return false;
		if (isTerminal) return done > last.done || requests > last.requests;
		if (lines >= LINES_WITHOUT_TERMINAL) return false;
		if (total) return done / total >= (lines + 1) / LINES_WITHOUT_TERMINAL;
		return at - startedAt >= FIRST_LINE_AFTER * 2 ** lines;
	};
	const progress = {
		total: undefined as number | undefined,
		done: 0,
		/** Call when a request is done. The rate is measured from the first call; before that, from the start. */
		begin(): void {
			if (!hasBegun) startedAt = now();
			hasBegun = true;
		},
		/** Logs a line if one is due. Call about once a second. */
		tick({ results, requests }: { results: ProductResults; requests: RequestCounts }): void {
			const { done, total } = progress;
			const sent = requests.totals.total;
			const at = now();
			if (!isDue(sent, at)) return;
			const seconds = Math.max(1, at - startedAt) / 1_000;
			lines = total ? Math.floor((done / total) * LINES_WITHOUT_TERMINAL) : lines + 1;
			last = { done, requests: sent, at };
			const failed = failuresIn(results).length;
			const stored = Math.max(0, done - answersIn(results) - failed);
			const of = total === undefined ? '' : `/${amount(total)}`;
			log(
				`${amount(done)}${of} products, ${amount(stored)} cached, ${amount(failed)} failed, ${amount(Math.round(sent / seconds))} req/s`,
			);
		},
	};
	return progress;
}
