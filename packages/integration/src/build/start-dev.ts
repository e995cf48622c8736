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

/** The reviews of one `astro dev`. Reviews are fetched when a page shows them. */
export interface DevRun {
	/** Makes the next page that shows one of these products request it again. */
	mark(changed: ChangedProducts): void;
	/** Address for pages that are rendered outside this process. */
	readonly address: SourceServer['address'];
	stop(): Promise<void>;
}

/** Dev servers of this process, by the path of their store's file. */
const runs = sharedMap<DevRun>('dev-runs');

/**
 * Starts a dev server's run and stops the previous one. When its configuration changes, Astro restarts the server with a
 * new integration without notifying the old one.
 */
export async function restartDev(context: RunContext): Promise<DevRun> {
	await runs().get(context.storeFile)?.stop();
	const run = startDev(context);
	runs().set(context.storeFile, run);
	return run;
}

/** How often the store is written, in milliseconds. */
const FLUSH_INTERVAL = 1_000;

/** Makes reviews available to pages. A failure logs a warning that names the product, and does not break the page. */
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
			// Requests cut off by stopping the server are not failures of the service.
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

/** Reads the file each time, because `product-reviews invalidate` writes from another process. It takes microseconds. */
function isMarked(store: ReviewStore, pid: string, fetchedAt: number): boolean {
	return (store.table('mark').entry(pid)?.fetchedAt ?? Number.NEGATIVE_INFINITY) > fetchedAt;
}
