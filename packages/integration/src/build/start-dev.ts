import { revalidateByAge } from '../cache/revalidate-by-age.js';
import { createAdvice } from '../failures/create-advice.js';
import { createTally } from '../outcomes/tally.js';
import { sharedMap } from '../runtime/shared-map.js';
import { reviewSources } from '../runtime/sources.js';
import { LONGEST_PAUSE } from '../service/longest-pause.js';
import { startReviewService } from '../service/start-review-service.js';
import { openStore } from '../store/open-store.js';
import { nameProduct } from '../text/name-products.js';
import { createSession } from './build-source.js';
import type { ChangedProducts } from './read-changed-products.js';
import { type SourceServer, serveSource } from './serve-source.js';
import type { RunContext } from './start-build.js';

/** The reviews of one `astro dev`: only what a page shows is fetched, when it is shown. */
export interface DevRun {
	/** What pages show of these products from now on is asked for again. */
	mark(changed: ChangedProducts): void;
	/** Where pages ask that are rendered outside of this process. */
	readonly address: SourceServer['address'];
	stop(): Promise<void>;
}

/** Dev servers of this process by the file of their store. */
const runs = sharedMap<DevRun>('dev-runs');

/**
 * Starts a dev server's run, and stops the one before it: Astro restarts a server with a new integration when its
 * configuration changes, and says nothing to the old one.
 */
export async function restartDev(context: RunContext): Promise<DevRun> {
	await runs().get(context.storeFile)?.stop();
	const run = startDev(context);
	runs().set(context.storeFile, run);
	return run;
}

/** How often the store is written, in milliseconds. */
const FLUSH_INTERVAL = 1_000;

/** Lets pages ask for reviews. A failure is a warning that names the product; the page is shown without it. */
function startDev({ options, connection, storeFile, logger }: RunContext): DevRun {
	const warn = (message: string) => logger.warn(message);
	const service = startReviewService(connection, options, { goesOn: true, maxPause: LONGEST_PAUSE, warn });
	const store = openStore(storeFile, connection.account, warn);
	const tally = createTally();
	const advise = createAdvice({
		...options,
		credentials: () => connection,
		hasAnswered: () => tally.fetched > 0,
	});
	let isStopped = false;
	const revalidation = revalidateByAge({ maxAge: options.maxAge, service, store, now: Date.now });
	const marks = store.table('mark');
	let allChangedAt = Number.NEGATIVE_INFINITY;
	// `product-reviews invalidate` writes from another process: the file is looked at each time, which takes microseconds.
	const isMarked = (pid: string, fetchedAt: number) =>
		(marks.entry(pid)?.fetchedAt ?? Number.NEGATIVE_INFINITY) > fetchedAt;
	const session = createSession({
		service,
		store,
		options,
		tally,
		now: Date.now,
		monotonicNow: () => performance.now(),
		command: 'dev',
		revalidation: {
			...revalidation,
			isOutdated: (pid, fetchedAt) =>
				fetchedAt <= allChangedAt || isMarked(pid, fetchedAt) || revalidation.isOutdated(pid, fetchedAt),
		},
		hasToken: connection.token !== undefined,
		onFailure: (failure) => {
			const { pid, reason, stale } = failure;
			// What the end of the server cuts off is no failure of the service.
			if (isStopped) return;
			const why = [reason, advise([failure])].filter(Boolean).join(' ');
			logger.warn(
				`The service failed for the product ${nameProduct(pid)}; ${stale ? 'stored reviews are' : 'nothing is'} shown. ${why}`,
			);
		},
	});
	reviewSources().set(connection.account, session);
	const remote = serveSource(session, (_page, run) => run());
	const timer = setInterval(() => store.flush(), FLUSH_INTERVAL).unref();
	return {
		address: remote.address,
		mark({ pids, all }) {
			revalidation.mark(pids);
			if (all) allChangedAt = Date.now();
		},
		async stop() {
			if (isStopped) return;
			isStopped = true;
			remote.close();
			clearInterval(timer);
			await service.close();
			store.close();
			if (reviewSources().get(connection.account) === session) reviewSources().delete(connection.account);
		},
	};
}
