import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { keepAlive } from '../base/async.js';
import { describeFailure } from '../base/failures.js';
import { fileNames, isInside } from '../base/paths.js';
import { sharedMap } from '../base/shared-map.js';
import { amount, count, nameProducts } from '../base/words.js';
import { UnusableFileError } from '../cache/open-database.js';
import { COLLECTION, PageStore, siteOf } from '../cache/page-store.js';
import { ProductReviewsError, ReviewServiceError } from '../errors.js';
import { whyNoFeed } from '../feeds/ratings-feed.js';
import { writeBuildFeeds } from '../feeds/write-feeds.js';
import { Audit, describeFindings } from '../pages/audit.js';
import { BuildPages, createPageKeys } from '../pages/build-pages.js';
import { createBuildSource, findShopProducts } from '../pages/build-source.js';
import { pageFiles } from '../pages/page-row.js';
import { NO_SOURCE_MARK, RENDER_IN_NODE } from '../pages/page-source.js';
import type { ChangedProducts } from '../project/changed-products.js';
import {
	collectWarnings,
	createProgress,
	type Logger,
	type Progress,
	removeReport,
	reportBuild,
} from '../project/log-lines.js';
import {
	type BuildPlaces,
	type CopiedPages,
	describeBuild,
	writeBundle,
	writeManifest,
} from '../project/manifest.js';
import { type OpenReviews, openReviews, type SiteContext } from '../project/open-reviews.js';
import { chooseProbe, findCopies, lockOutput } from '../project/output.js';
import { followPages } from '../project/product-list.js';
import { isProvider } from '../providers/load-provider.js';
import { PARTS, type Resource } from '../records/parts.js';
import type { ShopProduct } from '../render/fragment.js';
import { describeNoReviews } from '../reviews/describe-failures.js';
import { type BuildProject, reviewsCollections } from './project.js';
import { serveSource } from './serve-source.js';

export interface BuildContext extends Omit<SiteContext, 'options'>, BuildProject {
	readonly changed: ChangedProducts;
	readonly logger: Logger;
}

export type BuildRun = Awaited<ReturnType<typeof startBuild>>;

/** The builds of this process that hold their output folder, by its path. Astro does not say that a build failed. */
const runs = sharedMap<{ readonly release: () => Promise<void> }>('build-runs');

/**
 * Starts fetching the reviews of every product. Meanwhile, pages can already ask for them. Ends the last build of this
 * process into the same folder, if that failed.
 */
export async function startBuild(context: BuildContext) {
	const { root, outDir } = context.places();
	const folder = resolve(root, outDir);
	await runs().get(folder)?.release();
	const unlock = await lockForBuild(context);
	const ends: (() => unknown)[] = [unlock];
	let released: Promise<void> | undefined;
	const run = {
		/** Ends what is not over, and gives the output folder back. Doing it again does nothing. */
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

/** Interval at which progress is logged, in milliseconds. */
const TICK = 1_000;

/** Time that fetching in advance has to save before a build says so, in milliseconds. */
const LEAST_SAVING = 2_000;

/** @param onOpen called with what ends each part of the build, also if it has ended. */
async function openBuild(context: BuildContext, onOpen: (end: () => unknown) => void) {
	const { options, connection, changed, changes, cacheFile, reportFile, settings, logger } = context;
	const { account } = connection;
	const { root, outDir, base, site } = context.places();
	const { productRatings } = options.feeds;
	const lack = productRatings && whyNoFeed(isProvider(connection) || connection.token !== undefined, site);
	if (lack !== undefined) logger.warn(lack);
	const feed = lack === undefined ? productRatings : undefined;
	const startedAt = Date.now();
	const isTerminal = process.stdout.isTTY === true && !process.env['CI'];
	const progress = createProgress(isTerminal, (line) => logger.info(line));
	const output = siteOf(cacheFile, resolve(root, outDir));
	let expected: Products = NO_PRODUCTS;
	const reviews = await openReviews({
		...context,
		command: 'build',
		products: options.products,
		expected(cache) {
			expected = productsOfLastBuild(new PageStore(cache, output));
			return expected.reviews;
		},
		onLength(length) {
			progress.total = length;
		},
		onRequest: () => progress.begin(),
	});
	onOpen(reviews.close);
	const { store, results, reviewData } = reviews;
	// What the last build showed is no list: a product that no page asks for any more is none of this site.
	const list = options.products && reviews.list;
	const hasCollection = () => reviewsCollections().has(account);
	// What a content collection of this site loaded just now is not outdated.
	if (!hasCollection()) await reviews.broadcast(changed);
	removeReport(reportFile);
	/** Says what this build writes, and with what. Where that fails, the cache has said so, and commands find no build. */
	const writeBuild = (isComplete: boolean, copied?: CopiedPages) => {
		try {
			writeManifest(cacheFile, describeBuild(context, isComplete, Date.now(), copied));
			if (!isComplete) writeBundle(cacheFile, connection);
		} catch {
			// A build never fails because of it.
		}
	};
	writeBuild(false);
	const audit = new Audit();
	const pageStore = new PageStore(reviews.cache, output);
	const audited = options.audit === 'off' ? undefined : audit;
	const pages = new BuildPages({ store: pageStore, audit: audited, base, changes });
	const refreshData = (pid: string) => reviewData.refresh(pid);
	const shopPids = { listed: [] as readonly string[], named: new Set<string>() };
	let shop: Promise<readonly ShopProduct[]> | undefined;
	const findListed = (pids: readonly string[]) => {
		// Those without reviews as well: an update shows their first.
		shopPids.listed = pids;
		return findShopProducts(store, pids);
	};
	const source = createBuildSource({
		...reviews,
		settings,
		// All of them have to be known, and their reviews.
		shop: list && (() => (shop ??= reading.end().then(() => findListed(list.pids)))),
		onNamed(pids) {
			for (const pid of pids) shopPids.named.add(pid);
		},
		listed: list?.seen,
		lacksToken: !isProvider(connection) && connection.token === undefined && options.onError !== 'omit',
		onReviewData: followPages(
			list?.pids ?? expected['review-data'],
			reviews.revalidation.checked,
			refreshData,
		),
		pages,
		onFacts({ component, pid }) {
			if (component === 'own-markup') audit.addOwnMarkup(pid);
		},
	});
	if (context.isIncremental) pages.keys = createPageKeys(pageStore, source.isCurrent);
	const served = serveSource(account, source);
	onOpen(served.close);
	const timer = setInterval(() => {
		// Only the products that pages ask for are known.
		if (!reviews.list) progress.done = source.unlisted.size;
		progress.tick(reviews);
	}, TICK).unref();
	onOpen(() => clearInterval(timer));
	const reading = readAhead(reviews, context, progress, source.fail, feed && refreshData);
	onOpen(reading.stop);

	/** Returns the error with which the build has to fail; `undefined` if it need not. */
	const failureOf = (): unknown => {
		try {
			source.assertGoing();
			reviews.assertWhole();
		} catch (error) {
			return error;
		}
		const number = new Set(audit.findings.map(({ page }) => page)).size;
		return options.audit === 'error' && number > 0 ? auditFailed(number, reportFile) : undefined;
	};
	const warn = (isListRead: boolean, noReviews: string | undefined) => {
		const { advise } = reviews;
		const isUnlisted = (pid: string) => isListRead && !list?.seen.has(pid);
		const unlisted = [...source.unlisted].filter(isUnlisted);
		const unrated = [...results.rating].flatMap(([pid, { status }]) =>
			status === 'missing' && isUnlisted(pid) ? [pid] : [],
		);
		const { onError } = options;
		const lines = [
			...collectWarnings(results, { unlisted, unrated, duplicates: list?.duplicates, onError, advise }),
			noReviews,
			pages.hasSchema && site === undefined && SITE_MISSING,
			...describeFindings(audit.findings),
		];
		for (const line of lines) if (line) logger.warn(line);
	};
	const describeWait = () => {
		const { waitedMs, unlisted } = source;
		const ms = [...results.reviews.values()].reduce((sum, product) => sum + product.ms, 0);
		const saving = waitedMs - ms / options.concurrency;
		if (reviews.list || saving < LEAST_SAVING) return undefined;
		const [waited, saved] = [waitedMs, saving].map((time) => `${(time / 1_000).toFixed(1)} s`);
		return `Pages waited ${waited} for reviews of ${count(unlisted.size, 'product')}. The next build knows these and fetches them in advance. To save about ${saved} in a first build as well, set the option "products", or "build.concurrency" of Astro.`;
	};

	let copied: CopiedPages | undefined;
	return {
		pages,
		address: served.address,
		/**
		 * @param elsewhere paths of pages that may have been rendered outside of this process.
		 * @param files that Astro wrote, as their URLs.
		 */
		async finish(elsewhere: readonly string[], files: readonly URL[]): Promise<void> {
			const isListRead = await reading.end();
			// Of products that are not in the list.
			if (feed) await keepAlive(Promise.all([...results.reviews.keys()].map(refreshData)));
			await reviews.end();
			clearInterval(timer);
			pages.finish();
			if (reviews.list && !list) {
				const asked = pageStore.asked();
				for (const part of PARTS) results[part].keepOnly(asked);
			}
			const folder = resolve(root, context.places().folder);
			let failure = failureOf();
			if (failure === undefined) {
				const versionOf = (pid: string) => store.entry(pid, 'reviews')?.digest;
				await pages.match(namesIn(folder, files), folder, versionOf);
				const feeds = await writeBuildFeeds(reviews, {
					...{ options, settings, productRatings: feed, folder, base, site },
					...{ pages: pageStore, names: pages.names, info: (line) => logger.info(line) },
				});
				audit.addAll(feeds.findings);
				failure = failureOf();
				// What a failed build wrote is not to be deployed, so nothing is published into it.
				if (failure === undefined)
					pages.end(feeds.names, { id: context.id, account }, hasCollection(), shopPids);
			}
			if (failure === undefined) {
				const filesOf = (name: string) => {
					const page = pageStore.get(name);
					return page ? pageFiles(page.row, base) : [];
				};
				const probe = chooseProbe(folder, pages.names, filesOf);
				copied = probe === undefined ? undefined : { probe, since: startedAt, folders: [] };
			}
			writeBuild(failure === undefined, copied);
			const credentials = isProvider(connection) ? undefined : connection;
			const hasNone = (pid: string) => results.reviews.get(pid)?.status === 'missing';
			const noReviews = describeNoReviews([...results.reviews.keys()], hasNone, credentials);
			const pruned = store.prune(Date.now() - options.pruneAfter);
			await reviews.close();
			served.close();
			const now = Date.now();
			const { answeredAt, totals } = reviews.requests;
			reportBuild({
				...{ file: reportFile, cacheFile, pruned, results, requests: totals, now, logger },
				ms: now - startedAt,
				fetchMs: answeredAt && answeredAt - startedAt,
				pages: { withReviews: pages.byProduct.count, ...(pages.keys && { incremental: pages.keys.counts }) },
				pagesOf: (pid) => pages.byProduct.pagesOf(pid),
				audit: { pages: audit.pages, findings: audit.findings },
			});
			const wait = describeWait();
			if (wait) logger.info(wait);
			warn(isListRead, noReviews);
			const unreached = options.onError === 'omit' && describeUnreached(elsewhere, context.places());
			if (unreached) logger.warn(unreached);
			if (failure !== undefined) throw failure;
		},
		/** Notes where other integrations have copied the pages to. */
		recordCopies(): void {
			if (!copied) return;
			const folders = findCopies(copied, context.places());
			if (folders.length > 0) writeBuild(true, { ...copied, folders });
		},
	};
}

type Products = Readonly<Record<Resource, readonly string[]>>;

const NO_PRODUCTS: Products = { reviews: [], 'review-data': [] };

/** Returns what the pages of the last build showed, which those of this one probably show as well. */
function productsOfLastBuild(pages: PageStore): Products {
	try {
		const parts = pages.parts().filter((shown) => shown.pages.some((page) => page !== COLLECTION));
		const of = (resource: Resource) => parts.filter(({ part }) => part === resource).map(({ pid }) => pid);
		return { reviews: of('reviews'), 'review-data': of('review-data') };
	} catch (error) {
		if (error instanceof UnusableFileError) return NO_PRODUCTS;
		throw error;
	}
}

const SITE_MISSING =
	'Set "site" in the Astro configuration: without it, structured data has the product addresses that come with the reviews, unless you pass a "url". [PR_SITE_MISSING]';

function auditFailed(pages: number, reportFile: string): ProductReviewsError {
	return new ProductReviewsError(
		'PR_AUDIT_FAILED',
		`The audit of the reviews found something wrong with ${pages === 1 ? 'one page' : `${amount(pages)} pages`}; the warnings above say what and where.`,
		`All of it is in "${reportFile}". To build all the same, set the option "audit" of productReviews() to "warn".`,
	);
}

/** Returns the names of files relative to a folder, of those that are in it. */
function namesIn(folder: string, files: readonly URL[]): string[] {
	const names = files.map((file) => relative(folder, fileURLToPath(file)).replaceAll(sep, '/'));
	return names.filter((name) => isInside(name) && !isAbsolute(name));
}

/** Longest wait of a build for an update, in milliseconds. One takes a second; no build fails because of another. */
const PATIENCE = 60_000;

async function lockForBuild({ places, logger }: BuildContext): Promise<() => void> {
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
				'Another build or update has held the output folder for a minute. The build goes on; run it again if pages are missing. [PR_OUTPUT_BUSY]',
			);
		}
		return unlock ?? (() => {});
	} catch (error) {
		logger.warn(
			`The output folder cannot be locked: ${describeFailure(error)}. Do not run "astro-product-reviews update" during this build. [PR_FILE_NOT_WRITTEN]`,
		);
		return () => {};
	}
}

/** @param refreshData requests the review data of each product. @default those are not requested ahead */
function readAhead(
	reviews: OpenReviews,
	{ options: { buildTimeout, products }, logger }: BuildContext,
	progress: Progress,
	onError: (error: unknown) => void,
	refreshData?: (pid: string) => Promise<void>,
) {
	const { list } = reviews;
	let isRead = products !== undefined;
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
		void reviews.service.close(new ReviewServiceError(message, BUILD_AGAIN, { code: 'PR_DEADLINE_REACHED' }));
	};
	// Must not keep a build alive that ended for another reason.
	const deadline = buildTimeout === undefined ? undefined : setTimeout(onDeadline, buildTimeout).unref();
	const refresh = async (pid: string) => {
		const fetching = Promise.all([reviews.reviews.refresh(pid), refreshData?.(pid)]);
		// Without a list, what fails is only a failure if a page asks for it.
		await (products ? fetching : fetching.catch(() => {}));
		progress.done += 1;
		if (!process.stdout.isTTY) progress.tick(reviews);
	};
	const read = reviews
		.readList(refresh)
		.catch((error) => {
			isRead = false;
			onError(error);
		})
		.then(reviews.judgeVanished);
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

const BUILD_AGAIN = 'Build again: what was fetched is cached, and the next build has less to fetch.';

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
