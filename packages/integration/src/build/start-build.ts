import type { PageKeys } from '../pages/page-keys.js';
import { collectWarnings } from '../report/collect-warnings.js';
import { countStatuses } from '../report/count-statuses.js';
import { describeNoReviews } from '../report/describe-no-reviews.js';
import { removeReport, reportBuild } from '../report/report-build.js';
import type { BuildPages } from './build-pages.js';
import { createProgress } from './create-progress.js';
import { describeUnreached } from './describe-build.js';
import { describeBuild, writeLastBuild } from './last-build.js';
import { lockForBuild } from './lock-for-build.js';
import { type OpenReviews, openReviews } from './open-reviews.js';
import { readAhead } from './read-ahead.js';
import { reviewsCollections } from './reviews-collections.js';
import type { BuildContext } from './run-context.js';
import { type ServedPages, servePages } from './serve-pages.js';
import { shareWithOthers } from './share-with-others.js';
import { tellOthers } from './tell-others.js';

/** The reviews of one `astro build`. */
export interface BuildRun {
	/** The pages. Each must be rendered through it. */
	readonly pages: BuildPages;
	/** Keys for the pages of an incremental build. */
	readonly keys: PageKeys | undefined;
	/** Address for pages that are rendered outside this process. */
	address(): Promise<string | undefined>;
	/**
	 * Waits for the rest of the prefetch, closes the store and writes the report.
	 * @throws ReviewsUnavailableError if products have no reviews and `onError` requires the build to fail.
	 * @throws ProductListError if the product list is invalid.
	 * @throws ReviewAuditError if pages break rules and `audit` requires the build to fail.
	 */
	finish(): Promise<void>;
	/** Call when nobody changes the output folder any more. */
	release(): void;
}

/** How often progress is logged and the store is written, in milliseconds. */
const TICK = 1_000;

/** Starts fetching the reviews of every product. Meanwhile, pages can already ask for them. */
export async function startBuild(context: BuildContext): Promise<BuildRun> {
	const { options, reportFile, logger } = context;
	const unlock = await lockForBuild(context);
	const startedAt = Date.now();
	const progress = createProgress({
		isTerminal: process.stdout.isTTY === true && !process.env['CI'],
		now: Date.now,
		log: (line) => logger.info(line),
	});
	const shared = await shareWithOthers(context);
	const reviews = openReviews({
		...context,
		shared,
		command: 'build',
		products: options.products,
		onLength: progress.setTotal,
		onRequest: progress.begin,
		warn: (message) => logger.warn(message),
		info: (message) => logger.info(message),
	});
	// What a content collection of this site loaded just now is not outdated.
	if (shared && !reviewsCollections().has(context.connection.account)) {
		tellOthers(shared, reviews.store, { ...context.changed, isShard: context.places().shard !== undefined });
	}
	removeReport(reportFile);
	keep(context, false);
	const served = servePages(reviews, context);
	const { store } = reviews;
	const stopTicking = startTicking(() => {
		// Without a list, only the products that pages ask for count.
		if (!options.products) progress.setDone(served.source.unlisted.size);
		progress.tick(reviews);
		store.flush();
	}, store.close);
	const reading = readAhead(reviews, { options, progress, shared, onError: served.source.fail, logger });

	return {
		pages: served.pages,
		keys: served.keys,
		address: served.address,
		release: unlock,
		async finish() {
			const isListRead = await reading.end();
			await reviews.service.close();
			await shared?.end();
			stopTicking();
			served.pages.finish();
			const failure = failureOf(reviews, served);
			// What a failed build wrote is not to be deployed, so nothing is published into it.
			keep(context, failure === undefined);
			const pruned = store.prune(Date.now() - options.keepUnused);
			store.close();
			served.close();
			report(reviews, served, context, { pruned, startedAt });
			warn(reviews, served, context, isListRead);
			if (failure !== undefined) throw failure;
		},
	};
}

/** Why the build has to fail; `undefined` if it need not. */
function failureOf(reviews: OpenReviews, { source, audit }: ServedPages): unknown {
	try {
		source.assertGoing();
		reviews.assertWhole();
		audit.assertClean();
		return undefined;
	} catch (error) {
		return error;
	}
}

/** Calls `tick` every second, and `close` on exit, because a build that ends with another error runs no more hooks. */
function startTicking(tick: () => void, close: () => void): () => void {
	const timer = setInterval(tick, TICK).unref();
	process.once('exit', close);
	return () => {
		clearInterval(timer);
		process.off('exit', close);
	};
}

/**
 * Says what this build writes, and with what. Where that cannot be written, the store has said so, and commands find no
 * build.
 */
function keep(context: BuildContext, isComplete: boolean): void {
	try {
		writeLastBuild(context.storeFile, describeBuild(context, isComplete, Date.now()));
	} catch {
		// A build never fails because of it.
	}
}

function report(
	{ outcomes, requests }: OpenReviews,
	{ pages, keys, audit }: ServedPages,
	{ reportFile, storeFile, logger }: BuildContext,
	{ pruned, startedAt }: { pruned: number; startedAt: number },
): void {
	const now = Date.now();
	const answeredAt = requests.answeredAt();
	reportBuild({
		file: reportFile,
		storeFile,
		pruned,
		outcomes,
		requests: requests.totals(),
		ms: now - startedAt,
		fetchMs: answeredAt && answeredAt - startedAt,
		now,
		pages: { withReviews: pages.byProduct.count, ...(keys && { incremental: keys.counts }) },
		pagesOf: pages.byProduct.pagesOf,
		audit: { pages: audit.result.pages, findings: audit.result.findings },
		logger,
	});
}

function warn(
	{ outcomes, list, advise }: OpenReviews,
	{ source, pages, audit }: ServedPages,
	{ options, connection, logger }: BuildContext,
	isListRead: boolean,
): void {
	const unlisted = [...source.unlisted].filter((pid) => isListRead && !list?.seen.has(pid));
	const lines = [
		...collectWarnings(outcomes, {
			unlisted,
			duplicates: list?.duplicates,
			onError: options.onError,
			advise,
		}),
		describeNoReviews(countStatuses(outcomes.reviews), connection),
		pages.unreached.length > 0 ? describeUnreached(pages.unreached) : undefined,
	];
	for (const line of lines) if (line) logger.warn(line);
	audit.describe();
}
