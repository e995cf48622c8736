import { LONGEST_PAUSE } from '../constants.js';
import { sharedMap } from '../runtime/shared-map.js';
import { reviewSources } from '../runtime/source.js';
import type { ReviewStore } from '../store/review-store.js';
import { nameProduct } from '../text/words.js';
import { createBuildSource } from './build-source.js';
import { openReviews } from './open-reviews.js';
import type { ChangedProducts } from './read-changed-products.js';
import type { RunContext } from './run-context.js';
import { type SourceServer, serveSource } from './serve-source.js';

/** The reviews of one `astro dev`: only what a page shows is fetched, when it is shown. */
export interface DevRun {
	/** What pages show of these products from now on is requested again. */
	mark(changed: ChangedProducts): void;
	/** Address for pages that are rendered outside of this process. */
	readonly address: SourceServer['address'];
	stop(): Promise<void>;
}

/** Dev servers of this process by the file of their store. */
const runs = sharedMap<DevRun>('dev-runs');

/**
 * Starts a dev server's run, and stops the one before it: Astro restarts a server with a new integration when its
 * configuration changes, and does not tell the old one.
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
function startDev({ options, connection, storeFile, settings, logger }: RunContext): DevRun {
	let isStopped = false;
	let allChangedAt = Number.NEGATIVE_INFINITY;
	const reviews = openReviews({
		command: 'dev',
		options,
		connection,
		storeFile,
		maxPause: LONGEST_PAUSE,
		isOutdated: (pid, fetchedAt, store) => fetchedAt <= allChangedAt || isMarked(store, pid, fetchedAt),
		onFailure(failure, advise) {
			// What the end of the server cuts off is no failure of the service.
			if (isStopped) return;
			const { pid, reason, stale } = failure;
			const why = [reason, advise([failure])].filter(Boolean).join(' ');
			logger.warn(
				`The service failed for the product ${nameProduct(pid)}; ${stale ? 'stored reviews are' : 'nothing is'} shown. ${why}`,
			);
		},
		warn: (message) => logger.warn(message),
	});
	const { service, store, revalidation } = reviews;
	const source = createBuildSource({ ...reviews, settings });
	reviewSources().set(connection.account, source);
	const remote = serveSource(source, (_page, run) => run());
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
			if (reviewSources().get(connection.account) === source) reviewSources().delete(connection.account);
		},
	};
}

/** `product-reviews invalidate` writes from another process: the file is read each time, which takes microseconds. */
function isMarked(store: ReviewStore, pid: string, fetchedAt: number): boolean {
	return (store.table('mark').entry(pid)?.fetchedAt ?? Number.NEGATIVE_INFINITY) > fetchedAt;
}
