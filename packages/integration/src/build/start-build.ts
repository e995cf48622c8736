import type { AstroIntegrationLogger } from 'astro';
import type { BlockSettings } from '../ahead/write-blocks.js';
import { ReviewServiceError } from '../errors.js';
import { createAdvice } from '../failures/create-advice.js';
import type { Connection } from '../options/connection.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import { countRequests, createTally, type RequestFacts } from '../outcomes/tally.js';
import { createPageRecorder, type PageRecorder } from '../pages/create-page-recorder.js';
import { readablePath } from '../pages/name-page.js';
import { createPageKeys, type PageKeys } from '../pages/page-keys.js';
import { collectWarnings } from '../report/collect-warnings.js';
import { countStatuses } from '../report/count-statuses.js';
import { describeNoReviews } from '../report/describe-no-reviews.js';
import { createPagesByProduct } from '../report/pages-by-product.js';
import { removeReport, reportBuild } from '../report/report-build.js';
import { RENDER_IN_NODE } from '../runtime/no-source.js';
import { reviewSources } from '../runtime/sources.js';
import { startReviewService } from '../service/start-review-service.js';
import { openStore } from '../store/open-store.js';
import { nameProducts } from '../text/name-products.js';
import { startAudit } from './build-audit.js';
import { createSession } from './build-source.js';
import { createProgress } from './create-progress.js';
import { keepAlive } from './keep-alive.js';
import { openProductList } from './open-product-list.js';
import { prefetch } from './prefetch.js';
import type { ChangedProducts } from './read-changed-products.js';
import { revalidateBuild } from './revalidate-build.js';
import { serveSource } from './serve-source.js';
import { startDeadline } from './start-deadline.js';

/** What a run starts from. */
export interface RunContext {
	readonly options: ProductReviewsOptions;
	readonly connection: Connection;
	/** Path of the store's file. */
	readonly storeFile: string;
	readonly logger: Pick<AstroIntegrationLogger, 'info' | 'warn'>;
}

/** What a build starts from. */
export interface BuildContext extends RunContext {
	/** Path of the build's report. */
	readonly reportFile: string;
	/** What blocks are written with. */
	readonly blocks: BlockSettings;
	/** Whether Astro takes pages from its cache that have a key, `experimental.incrementalBuild`. */
	readonly isIncremental: boolean;
	/** What is known to have changed, from what started the build. */
	readonly changed: ChangedProducts;
}

/** The reviews of one `astro build`. */
export interface BuildRun {
	/** Is to know which page is being rendered. */
	readonly recorder: PageRecorder;
	/** Keys for the pages of an incremental build. */
	readonly keys: PageKeys | undefined;
	/** Where pages ask that are rendered outside of this process. */
	address(): Promise<string | undefined>;
	/**
	 * Waits for the rest of the prefetch, closes the store and says how it went.
	 * @throws ReviewsUnavailableError where products have no reviews and `onError` asks for the build to fail.
	 * @throws ProductListError where the product list is wrong.
	 * @throws ReviewAuditError where pages break rules and `audit` asks for the build to fail.
	 */
	finish(): Promise<void>;
}

/** How often progress is looked at and the store is written, in milliseconds. */
const TICK = 1_000;

/** Products that the service's thread has ahead: it goes on while this one is busy, for seconds if need be. */
const LOOKAHEAD = 256;

/** Starts to fetch the reviews of every product, and lets pages ask for them meanwhile. */
export function startBuild(context: BuildContext): BuildRun {
	const { options, connection, storeFile, reportFile, isIncremental, changed, blocks, logger } = context;
	const tally = createTally();
	const now = Date.now;
	const startedAt = now();
	const progress = createProgress(tally, {
		isTerminal: process.stdout.isTTY === true && !process.env['CI'],
		now,
		log: (line) => logger.info(line),
	});
	const warn = (message: string) => logger.warn(message);
	const onRequest = (facts: RequestFacts) => {
		if (tally.requests === 0) progress.begin();
		countRequests(tally, facts);
		tally.answeredAt = now();
	};
	const service = startReviewService(connection, options, { onRequest, warn });
	const store = openStore(storeFile, connection.account, warn);
	removeReport(reportFile);
	const audit = startAudit(options.audit, reportFile, logger);
	const pages = createPagesByProduct();
	/** Pages that have no reviews because they could not reach {@link BuildRun.address}. */
	const unreached: string[] = [];
	const recorder = createPageRecorder(({ name, address, isPage }, { placements, shown, isMissing }) => {
		pages.add(
			address,
			placements.map(({ pid }) => pid),
		);
		if (isMissing) unreached.push(address);
		const findings = isPage ? audit.add(address, placements) : [];
		keys?.rendered(name, address, isMissing ? undefined : shown, findings);
	});
	const list =
		options.products &&
		openProductList(options.products, (length) => {
			progress.total = length;
		});
	let listIsRead = list !== undefined;
	const deadline = startDeadline(options.deadline, () => {
		listIsRead = false;
		list?.stop();
		logger.warn(overTime(tally.done, progress.total));
		void service.close(
			new ReviewServiceError('the time limit of the option "deadline" is over.', BUILD_AGAIN),
		);
	});
	const advise = createAdvice({
		...options,
		credentials: () => connection,
		hasAnswered: () => tally.fetched > 0,
	});
	const revalidation = revalidateBuild({
		advise,
		options,
		connection,
		changed,
		products: list?.products,
		service,
		store,
		now,
		warn,
	});
	const session = createSession({
		service,
		store,
		options,
		tally,
		now,
		command: 'build',
		onFailure: () => {},
		advise,
		revalidation,
		listed: list?.seen,
		hasToken: connection.token !== undefined,
		place(placement) {
			audit.place(placement);
			recorder.place(placement);
		},
		// An incremental build renders few pages, and which ones is not known ahead.
		writeAhead:
			list && !isIncremental
				? { service, order: list.seen, settings: blocks, storeFile, account: connection.account }
				: undefined,
		show: isIncremental ? recorder.show : undefined,
	});
	const keys = isIncremental
		? createPageKeys(store.table('page'), session.isChanged, now, options.audit !== 'off')
		: undefined;
	reviewSources().set(connection.account, session);
	const remote = serveSource(session, (page, run) =>
		recorder.runOn(page === undefined ? undefined : readablePath(page), run),
	);

	const tick = () => {
		countAsked();
		progress.tick();
		store.flush();
	};
	// Without a list, the products are those that pages ask for.
	const countAsked = () => {
		if (!options.products) tally.done = session.unlisted.size;
	};
	const timer = setInterval(tick, TICK).unref();
	// A build that another error ends runs no more hooks: what was fetched until then is kept all the same.
	const close = () => store.close();
	process.once('exit', close);

	const prefetched = revalidation.products
		? prefetch(
				revalidation.products,
				LOOKAHEAD,
				(pid) => session.refresh(pid),
				() => {
					tally.done += 1;
					if (!process.stdout.isTTY) progress.tick();
				},
			)
				.catch((error) => {
					listIsRead = false;
					session.fail(error);
				})
				.then(session.decideLosses)
		: Promise.resolve();

	return {
		recorder,
		keys,
		address: remote.address,
		async finish() {
			await keepAlive(prefetched);
			deadline.cancel();
			await service.close();
			clearInterval(timer);
			process.off('exit', close);
			const pruned = store.prune(now() - options.keepUnused);
			close();
			if (reviewSources().get(connection.account) === session) reviewSources().delete(connection.account);
			remote.close();
			for (const { address, pids, findings } of keys?.reused ?? []) {
				pages.add(address, pids);
				audit.addKnown(address, findings);
			}
			reportBuild({
				file: reportFile,
				storeFile,
				pruned,
				tally,
				ms: now() - startedAt,
				fetchMs: tally.answeredAt && tally.answeredAt - startedAt,
				now: now(),
				pages: {
					withReviews: pages.count,
					...(keys && { incremental: keys.counts }),
				},
				pagesOf: pages.pagesOf,
				audit: { pages: audit.result.pages, findings: audit.result.findings },
				logger,
			});
			const unlisted = [...session.unlisted].filter((pid) => listIsRead && !list?.seen.has(pid));
			const duplicates = [...(list?.duplicates ?? [])];
			const lines = collectWarnings(tally, unlisted, duplicates, options.onError, advise);
			for (const line of lines) logger.warn(line);
			const noReviews = describeNoReviews(countStatuses(tally.outcomes.reviews), connection);
			if (noReviews) logger.warn(noReviews);
			if (unreached.length > 0) logger.warn(describeUnreached(unreached));
			audit.describe();
			session.assertWhole();
			audit.assertClean();
		},
	};
}

function describeUnreached(pages: readonly string[]): string {
	const number = pages.length === 1 ? 'One page was' : `${pages.length.toLocaleString('en')} pages were`;
	return `${number} rendered outside of the build's process and could not reach it, and have no reviews: ${nameProducts(pages)}. ${RENDER_IN_NODE}`;
}

const BUILD_AGAIN = 'Build again: what was fetched is stored, so that the next build has less to fetch.';

function overTime(done: number, total: number | undefined): string {
	const of = total === undefined ? '' : ` of ${total.toLocaleString('en')}`;
	return `The time limit of the option "deadline" is over after ${done.toLocaleString('en')}${of} products. For the others, what is stored is used. ${BUILD_AGAIN}`;
}
