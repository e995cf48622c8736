import { createPageRecorder } from '../pages/create-page-recorder.js';
import { readablePath } from '../pages/name-page.js';
import { createPageKeys, type PageKeys } from '../pages/page-keys.js';
import { collectWarnings } from '../report/collect-warnings.js';
import { countStatuses } from '../report/count-statuses.js';
import { describeNoReviews } from '../report/describe-no-reviews.js';
import { removeReport, reportBuild } from '../report/report-build.js';
import { reviewSources } from '../runtime/source.js';
import { startAudit } from './build-audit.js';
import { type BuildPages, createBuildPages } from './build-pages.js';
import { type BuildSource, createBuildSource } from './build-source.js';
import { createProgress } from './create-progress.js';
import { describeDeadline, describeUnreached, pastDeadline } from './describe-build.js';
import { createFinishedPieces } from './finished-pieces.js';
import { followPages } from './follow-pages.js';
import { keepAlive } from './keep-alive.js';
import { type OpenReviews, openReviews } from './open-reviews.js';
import { prefetch } from './prefetch.js';
import type { ChangedProducts } from './read-changed-products.js';
import { serveSource } from './serve-source.js';
import { startDeadline } from './start-deadline.js';
import type { RunContext } from './start-dev.js';

/** What a build starts from. */
export interface BuildContext extends RunContext {
	/** Path of the build's report. */
	readonly reportFile: string;
	/** Whether Astro takes pages from its cache that have a key, `experimental.incrementalBuild`. */
	readonly isIncremental: boolean;
	/** What is known to have changed, from what started the build. */
	readonly changed: ChangedProducts;
}

/** The reviews of one `astro build`. */
export interface BuildRun {
	/** Has to know which page is being rendered. */
	readonly pages: BuildPages;
	/** Keys for the pages of an incremental build. */
	readonly keys: PageKeys | undefined;
	/** Address for pages that are rendered outside of this process. */
	address(): Promise<string | undefined>;
	/**
	 * Waits for the rest of the prefetch, closes the store and reports how it went.
	 * @throws ReviewsUnavailableError if products have no reviews and `onError` asks for the build to fail.
	 * @throws ProductListError if the product list is wrong.
	 * @throws ReviewAuditError if pages break rules and `audit` asks for the build to fail.
	 */
	finish(): Promise<void>;
}

/** How often progress is looked at and the store is written, in milliseconds. */
const TICK = 1_000;

/** Products that the service's thread has ahead: it goes on while this one is busy, for seconds if need be. */
const LOOKAHEAD = 256;

/** Starts to fetch the reviews of every product, and lets pages ask for them meanwhile. */
export function startBuild(context: BuildContext): BuildRun {
	const { options, connection, storeFile, reportFile, isIncremental, settings, logger } = context;
	const startedAt = Date.now();
	const warn = (message: string) => logger.warn(message);
	const progress = createProgress({
		isTerminal: process.stdout.isTTY === true && !process.env['CI'],
		now: Date.now,
		log: (line) => logger.info(line),
	});
	const reviews = openReviews({
		...context,
		command: 'build',
		products: options.products,
		onLength: (length) => progress.setTotal(length),
		onRequest: () => progress.begin(),
		warn,
	});
	const { store, service, list, tally, revalidation } = reviews;
	removeReport(reportFile);
	const audit = startAudit(options.audit, reportFile, logger);
	const recorder = createPageRecorder();
	const source = createBuildSource({
		...reviews,
		settings,
		listed: list?.seen,
		finished: createFinishedPieces(store, settings, service.finish),
		onReviewData:
			list &&
			followPages({
				order: list.seen,
				checked: revalidation.checked,
				refresh: (pid) => reviews.reviewData.refresh(pid),
			}),
		place(facts) {
			audit.place(facts);
			recorder.place(facts);
		},
		depend: isIncremental ? recorder.depend : undefined,
	});
	const keys = isIncremental
		? createPageKeys(store.table('page'), source.isCurrent, Date.now, options.audit !== 'off')
		: undefined;
	const pages = createBuildPages(recorder, audit, keys);
	reviewSources().set(connection.account, source);
	const remote = serveSource(source, (page, run) =>
		recorder.runOn(page === undefined ? undefined : readablePath(page), run),
	);
	const stopTicking = startTicking(() => {
		// Without a list, the products are those that pages ask for.
		if (!options.products) tally.done = source.unlisted.size;
		progress.tick(tally);
		store.flush();
	}, store.close);
	const reading = startReading(reviews, source, progress, context);

	return {
		pages,
		keys,
		address: remote.address,
		async finish() {
			const isListRead = await reading.end();
			await service.close();
			stopTicking();
			const pruned = store.prune(Date.now() - options.keepUnused);
			store.close();
			if (reviewSources().get(connection.account) === source) reviewSources().delete(connection.account);
			remote.close();
			pages.addReused();
			reportBuild({
				file: reportFile,
				storeFile,
				pruned,
				tally,
				ms: Date.now() - startedAt,
				fetchMs: tally.answeredAt && tally.answeredAt - startedAt,
				now: Date.now(),
				pages: { withReviews: pages.byProduct.count, ...(keys && { incremental: keys.counts }) },
				pagesOf: pages.byProduct.pagesOf,
				audit: { pages: audit.result.pages, findings: audit.result.findings },
				logger,
			});
			const unlisted = [...source.unlisted].filter((pid) => isListRead && !list?.seen.has(pid));
			const duplicates = [...(list?.duplicates ?? [])];
			for (const line of collectWarnings(tally, unlisted, duplicates, options.onError, reviews.advise))
				warn(line);
			const noReviews = describeNoReviews(countStatuses(tally.outcomes.reviews), connection);
			if (noReviews) warn(noReviews);
			if (pages.unreached.length > 0) warn(describeUnreached(pages.unreached));
			audit.describe();
			source.assertGoing();
			reviews.assertWhole();
			audit.assertClean();
		},
	};
}

/** Calls back every second, and closes the store of a build that another error ends: it runs no more hooks. */
function startTicking(tick: () => void, close: () => void): () => void {
	const timer = setInterval(tick, TICK).unref();
	process.once('exit', close);
	return () => {
		clearInterval(timer);
		process.off('exit', close);
	};
}

/** Reads the product list, and fetches the reviews of its products ahead of the pages. */
function startReading(
	{ service, list, tally, revalidation, reviews, decideLosses }: OpenReviews,
	source: Pick<BuildSource, 'fail'>,
	progress: ReturnType<typeof createProgress>,
	{ options, logger }: BuildContext,
) {
	let isRead = list !== undefined;
	const deadline = startDeadline(options.deadline, () => {
		isRead = false;
		list?.stop();
		logger.warn(describeDeadline(tally.done, progress.total()));
		void service.close(pastDeadline());
	});
	const onDone = () => {
		tally.done += 1;
		if (!process.stdout.isTTY) progress.tick(tally);
	};
	const onError = (error: unknown) => {
		isRead = false;
		source.fail(error);
	};
	const products = revalidation.products;
	const read = products
		? prefetch(products, LOOKAHEAD, reviews.refresh, onDone).catch(onError).then(decideLosses)
		: Promise.resolve();
	return {
		/** @returns whether the whole list was read. */
		async end(): Promise<boolean> {
			await keepAlive(read);
			deadline.cancel();
			return isRead;
		},
	};
}
