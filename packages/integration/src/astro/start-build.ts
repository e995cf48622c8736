import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeFailure } from '../base/failures.js';
import { fileNames, isInside } from '../base/paths.js';
import { keepAlive } from '../base/process.js';
import { amount, nameProducts } from '../base/words.js';
import { ProductReviewsError, ReviewServiceError } from '../errors.js';
import { whyNoFeed } from '../feeds/ratings-feed.js';
import { writeBuildFeeds } from '../feeds/write-feeds.js';
import { describeFindings } from '../pages/audit.js';
import type { BuildPages } from '../pages/build-pages.js';
import { NO_SOURCE_MARK, RENDER_IN_NODE, sharedMap } from '../pages/page-source.js';
import { lockOutput } from '../project/lock-output.js';
import { collectWarnings, removeReport, reportBuild } from '../project/log-lines.js';
import { type BuildPlaces, describeBuild, writeManifest } from '../project/manifest.js';
import { type OpenReviews, openReviews } from '../project/open-reviews.js';
import { broadcastChanges, shareWithOthers } from '../project/open-shared.js';
import { Progress } from '../project/progress.js';
import { countStatuses } from '../project/report.js';
import { type BuildContext, reviewsCollections } from '../project/run-context.js';
import { isProvider } from '../providers/load-provider.js';
import { describeNoReviews } from '../reviews/describe-no-reviews.js';
import { type ServedPages, servePages } from './serve-pages.js';

export interface BuildRun {
	readonly pages: BuildPages;
	address(): Promise<string | undefined>;
	/**
	 * @param elsewhere paths of pages that may have been rendered outside of this process.
	 * @param files that Astro wrote, as their URLs.
	 */
	finish(elsewhere: readonly string[], files: readonly URL[]): Promise<void>;
	/** Ends what is not over, and gives the output folder back. Doing it again does nothing. */
	release(): Promise<void>;
}

/** The builds of this process that hold their output folder, by its path. Astro does not say that a build failed. */
const runs = sharedMap<Pick<BuildRun, 'release'>>('build-runs');

/** Interval at which progress is logged and the cache is written, in milliseconds. */
const TICK = 1_000;

/**
 * Starts fetching the reviews of every product. Meanwhile, pages can already ask for them. Ends the last build of this
 * process into the same folder, if that failed.
 */
export async function startBuild(context: BuildContext): Promise<BuildRun> {
	const { root, outDir } = context.places();
	const folder = resolve(root, outDir);
	await runs().get(folder)?.release();
	const unlock = await lockForBuild(context);
	const ends: (() => unknown)[] = [unlock];
	let released: Promise<void> | undefined;
	const run = {
		release(): Promise<void> {
			if (runs().get(folder) === run) runs().delete(folder);
			released ??= endAll(ends);
			return released;
		},
	};
	runs().set(folder, run);
	try {
		return { ...(await openBuild(context, (end) => ends.push(end))), ...run };
	} catch (error) {
		await run.release();
		throw error;
	}
}

/** Closes what was opened, the last one first, and all of it, whatever fails. */
async function endAll(ends: (() => unknown)[]): Promise<void> {
	const end = ends.pop();
	if (!end) return;
	try {
		await end();
	} finally {
		await endAll(ends);
	}
}

/** @param onOpen called with what ends each part of the build, also if it has ended. */
async function openBuild(
	context: BuildContext,
	onOpen: (end: () => unknown) => void,
): Promise<Omit<BuildRun, 'release'>> {
	const { options, connection, reportFile, logger } = context;
	const { site } = context.places();
	const { productRatings } = options.feeds;
	const lack = productRatings && whyNoFeed(isProvider(connection) || connection.token !== undefined, site);
	if (lack !== undefined) logger.warn(lack);
	const feed = lack === undefined ? productRatings : undefined;
	const startedAt = Date.now();
	const isTerminal = process.stdout.isTTY === true && !process.env['CI'];
	const progress = new Progress(isTerminal, (line) => logger.info(line));
	const shared = await shareWithOthers(context);
	if (shared) onOpen(() => shared.close());
	const reviews = openReviews({
		...context,
		shared,
		command: 'build',
		products: options.products,
		onLength(length) {
			progress.total = length;
		},
		onRequest: () => progress.begin(),
	});
	const { store, service } = reviews;
	const close = () => store.close();
	// A build that ends with another error runs no more hooks.
	process.once('exit', close);
	onOpen(async () => {
		await service.close();
		process.off('exit', close);
		close();
	});
	// What a content collection of this site loaded just now is not outdated.
	if (shared && !reviewsCollections().has(context.connection.account)) {
		await broadcastChanges(shared, reviews.store, context.changed);
	}
	removeReport(reportFile);
	keep(context, false);
	const served = servePages(reviews, context);
	onOpen(served.close);
	const { pages, audit } = served;
	const timer = setInterval(() => {
		// Without a list, only the products that pages ask for count.
		if (!options.products) progress.done = served.source.unlisted.size;
		progress.tick(reviews);
		store.flush();
	}, TICK).unref();
	onOpen(() => clearInterval(timer));
	const refreshData = async (pid: string) => (feed ? reviews.reviewData.refresh(pid) : undefined);
	const reading = readAhead(reviews, context, progress, served.source.fail, refreshData);
	onOpen(reading.stop);

	return {
		pages,
		address: served.address,
		async finish(elsewhere, files) {
			const isListRead = await reading.end();
			// Of products that are not in the list.
			if (feed) await keepAlive(Promise.all([...reviews.outcomes.reviews.keys()].map(refreshData)));
			await service.close();
			await shared?.end();
			clearInterval(timer);
			process.off('exit', close);
			pages.finish();
			let failure = failureOf(reviews, served, context);
			if (failure === undefined) {
				const folder = matchPages(reviews, served, context, files);
				const { base } = context.places();
				const feeds = await writeBuildFeeds(reviews, {
					...{ options, settings: context.settings, productRatings: feed, folder, base, site },
					...{ pages: served.pageStore, names: pages.names, info: (line) => logger.info(line) },
				});
				audit.addAll(feeds.findings);
				failure = failureOf(reviews, served, context);
				// What a failed build wrote is not to be deployed, so nothing is published into it.
				if (failure === undefined) endPages(served, context, feeds.names);
			}
			keep(context, failure === undefined);
			const pruned = store.prune(Date.now() - options.pruneAfter);
			close();
			served.close();
			const now = Date.now();
			const { answeredAt, totals } = reviews.requests;
			reportBuild({
				file: reportFile,
				cacheFile: context.cacheFile,
				pruned,
				outcomes: reviews.outcomes,
				requests: totals,
				ms: now - startedAt,
				fetchMs: answeredAt && answeredAt - startedAt,
				now,
				pages: { withReviews: pages.byProduct.count, ...(pages.keys && { incremental: pages.keys.counts }) },
				pagesOf: (pid) => pages.byProduct.pagesOf(pid),
				audit: { pages: audit.pages, findings: audit.findings },
				logger,
			});
			warn(reviews, served, context, isListRead);
			const unreached = options.onError === 'omit' && describeUnreached(elsewhere, context.places());
			if (unreached) logger.warn(unreached);
			if (failure !== undefined) throw failure;
		},
	};
}

/** Returns the error with which the build has to fail; `undefined` if it need not. */
function failureOf(
	reviews: OpenReviews,
	{ source, audit }: ServedPages,
	{ options, reportFile }: BuildContext,
): unknown {
	try {
		source.assertGoing();
		reviews.assertWhole();
	} catch (error) {
		return error;
	}
	const pages = new Set(audit.findings.map(({ page }) => page)).size;
	if (options.audit !== 'error' || pages === 0) return undefined;
	return new ProductReviewsError(
		'PR_AUDIT_FAILED',
		`The audit of the reviews found something wrong with ${pages === 1 ? 'one page' : `${amount(pages)} pages`}; the warnings above say what and where.`,
		`All of it is in "${reportFile}". To build all the same, set the option "audit" of productReviews() to "warn".`,
	);
}

/**
 * Says what this build writes, and with what. Where that cannot be written, the cache has said so, and commands find no
 * build.
 */
function keep(context: BuildContext, isComplete: boolean): void {
	try {
		const hasCollection = reviewsCollections().has(context.connection.account);
		const described = describeBuild({ ...context, hasCollection }, isComplete, Date.now());
		writeManifest(context.cacheFile, described);
	} catch {
		// A build never fails because of it.
	}
}

function endPages(
	{ pages }: ServedPages,
	{ connection: { account }, id }: BuildContext,
	others: readonly string[],
): void {
	pages.end(others, { id, account }, reviewsCollections().has(account));
}

/** Compares the pages with the files of the build. @returns the folder of the pages */
function matchPages(
	{ store }: OpenReviews,
	{ pages }: ServedPages,
	{ places }: BuildContext,
	files: readonly URL[],
): string {
	const { root, folder: name } = places();
	const folder = resolve(root, name);
	const names = files.map((file) => relative(folder, fileURLToPath(file)).replaceAll(sep, '/'));
	const inFolder = names.filter((file) => isInside(file) && !isAbsolute(file));
	pages.match(inFolder, folder, (pid) => store.entry(pid, 'reviews')?.digest);
	return folder;
}

function warn(
	{ outcomes, list, advise }: OpenReviews,
	{ pages, source, audit }: ServedPages,
	{ options, connection, places, logger }: BuildContext,
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
		describeNoReviews(
			countStatuses(outcomes.reviews),
			isProvider(connection) ? undefined : connection,
			outcomes.reviews.keys(),
		),
		pages.hasSchema &&
			places().site === undefined &&
			'Set "site" in the Astro configuration: without it, structured data has the product addresses that come with the reviews, unless you pass a "url".',
		...describeFindings(audit.findings),
	];
	for (const line of lines) if (line) logger.warn(line);
}

/** Longest wait of a build for an update, in milliseconds. One takes a second; no build fails because of another. */
const PATIENCE = 60_000;

async function lockForBuild({
	places,
	logger,
}: Pick<BuildContext, 'places' | 'logger'>): Promise<() => void> {
	const { root, outDir } = places();
	try {
		const unlock = await lockOutput({
			root,
			outDir: resolve(root, outDir),
			patience: PATIENCE,
			onWait: () => logger.info('Waiting for another build or update to finish with the output folder.'),
		});
		if (!unlock) {
			logger.warn(
				'Another build or update has held the output folder for a minute. The build goes on; run it again if pages are missing.',
			);
		}
		return unlock ?? (() => {});
	} catch (error) {
		logger.warn(
			`The output folder cannot be locked: ${describeFailure(error)}. Do not run "astro-product-reviews update" during this build.`,
		);
		return () => {};
	}
}

function readAhead(
	{ service, list, readList, outcomes, requests, reviews, decideLosses }: OpenReviews,
	{ options, logger }: Pick<BuildContext, 'options' | 'logger'>,
	progress: Progress,
	onError: (error: unknown) => void,
	refreshData: (pid: string) => Promise<void>,
) {
	let isRead = list !== undefined;
	const onDeadline = () => {
		isRead = false;
		list?.stop();
		const { done, total } = progress;
		const of = total === undefined ? '' : ` of ${amount(total)}`;
		logger.warn(
			`The time limit of the option "buildTimeout" was reached after ${amount(done)}${of} products. The others are shown from the cache. ${BUILD_AGAIN} [PR_DEADLINE_REACHED]`,
		);
		// The error of every product that was not fetched before.
		const message = 'the time limit of the option "buildTimeout" was reached.';
		void service.close(new ReviewServiceError(message, BUILD_AGAIN, { code: 'PR_DEADLINE_REACHED' }));
	};
	const { buildTimeout } = options;
	// Must not keep a build alive that ended for another reason.
	const deadline = buildTimeout === undefined ? undefined : setTimeout(onDeadline, buildTimeout).unref();
	const onDone = () => {
		progress.done += 1;
		if (!process.stdout.isTTY) progress.tick({ outcomes, requests });
	};
	const read = readList(
		async (pid) => void (await Promise.all([reviews.refresh(pid), refreshData(pid)])),
		onDone,
	)
		.catch((error) => {
			isRead = false;
			onError(error);
		})
		.then(decideLosses);
	return {
		/** Waits for the end of the list. @returns `true` if all of it was read. */
		async end(): Promise<boolean> {
			await keepAlive(read);
			clearTimeout(deadline);
			return isRead;
		},
		stop(): void {
			list?.stop();
			clearTimeout(deadline);
		},
	};
}

const BUILD_AGAIN = 'Build again: what was fetched is stored, so the next build has less to fetch.';

/** The warning about pages that say that they could not reach this process; `undefined` if there are none. */
function describeUnreached(paths: readonly string[], { root, folder }: BuildPlaces): string | undefined {
	const pages = paths.filter((path) => {
		const names = fileNames(`/${path}`, '/').map((name) => join(root, folder, name));
		const file = names.find((name) => statSync(name, { throwIfNoEntry: false })?.isFile());
		return file !== undefined && readFileSync(file).includes(NO_SOURCE_MARK);
	});
	if (pages.length === 0) return undefined;
	const number = pages.length === 1 ? 'One page was' : `${amount(pages.length)} pages were`;
	return `${number} rendered outside the build's process and could not reach it, so they have no reviews: ${nameProducts(pages)}. ${RENDER_IN_NODE} [PR_NO_REVIEW_SOURCE]`;
}
