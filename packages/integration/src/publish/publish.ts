import { resolve } from 'node:path';
import type { LastBuild } from '../build/last-build.js';
import { openReviews } from '../build/open-reviews.js';
import { shareWithOthers } from '../build/share-with-others.js';
import { tellOthers } from '../build/tell-others.js';
import { connectionOf, environmentOf, storageOf } from '../build/trust.js';
import { ALL_PRODUCTS } from '../store/marks.js';
import { type ReviewStore, SENT_KINDS } from '../store/review-store.js';
import { type PublishedProducts, publishProducts } from './publish-products.js';
import { renewSitemaps } from './renew-sitemaps.js';
import { openUnfinished } from './unfinished.js';

/** Where and how to publish. */
export interface PublishContext {
	/** Path of the store's file. */
	readonly storeFile: string;
	readonly build: LastBuild;
	/** Whether to say what would be done, and do nothing. */
	readonly isDryRun: boolean;
	/** Whether somebody is to be told which files changed. If nobody can be, the next run says it again. */
	readonly tells?: boolean;
	readonly warn: (message: string) => void;
	/** Called after each hundred products. */
	readonly onProgress: (done: number, total: number) => void;
}

/** Product ids, or which products of the store. */
export type GivenProducts = readonly string[] | 'marked' | 'all';

/** What a run published. */
export interface PublishedRun extends PublishedProducts {
	/** Identifies a run that is not finished before somebody was told of its files. */
	readonly run?: string;
}

/** Age does not matter: what changed is named or marked. In milliseconds. */
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * Brings the reviews of products into the files of the last build.
 * @param given product ids; `'marked'` for those that are marked as changed in the store; `'all'` for all that pages show.
 * @throws ProductReviewsConfigurationError if the build had a token and there is none now.
 * @throws Error of the file system.
 */
export async function publish(given: GivenProducts, context: PublishContext): Promise<PublishedRun> {
	const { storeFile, build, isDryRun, tells = false, warn } = context;
	const options = { ...build.options, onError: 'stale', revalidate: 'age', maxAge: NEVER } as const;
	const environment = environmentOf(build);
	const connection = connectionOf(build, environment);
	const changed = { pids: typeof given === 'string' ? [] : given, all: given === 'all' };
	const shared = isDryRun
		? undefined
		: await shareWithOthers({
				storage: storageOf(build, environment, warn),
				connection,
				options,
				logger: { info: warn, warn },
			});
	const reviews = openReviews({
		command: 'build',
		options,
		connection,
		storeFile,
		shared,
		changed,
		warn,
		info: warn,
	});
	if (shared) tellOthers(shared, reviews.store, changed);
	const { store, service, revalidation } = reviews;
	const unfinished = openUnfinished(store, build.at, Date.now());
	const { since } = unfinished;
	const pids = [...new Set([...unfinished.pids, ...productsOf(given, store, revalidation.isOutdated)])];
	try {
		// Those that fail, or are not reached, are asked for by the next run, whatever it is given.
		if (given === 'all') revalidation.mark(pids);
		const run = unfinished.begin(pids, tells && !isDryRun);
		const where = { build, folder: resolve(build.root, build.folder), isDryRun };
		const { published, pages } = await publishProducts(pids, {
			...where,
			reviews,
			since,
			now: Date.now,
			onProgress: (number) => context.onProgress(number, pids.length),
		});
		const times = new Map([...pages].filter((page): page is [string, number] => page[1] !== undefined));
		const sitemaps = await renewSitemaps(times, { ...where, isResumed: unfinished.pids.length > 0 });
		const files = [...published.files, ...sitemaps];
		// Whoever is to be told of files ends the run after that.
		const isLeft = tells && files.length > 0;
		if (!isDryRun && !isLeft) unfinished.end(run, tells);
		return { published: { ...published, files }, pages, ...(isLeft && { run }) };
	} finally {
		await service.close();
		await shared?.end();
		store.close();
	}
}

function productsOf(
	given: GivenProducts,
	store: ReviewStore,
	isOutdated: (pid: string, fetchedAt: number) => boolean,
): readonly string[] {
	if (typeof given !== 'string') return given;
	if (given === 'all') return store.pages().products();
	const marked = store.pids('mark');
	// A mark that was lost may have been any product's.
	const all = marked.includes(ALL_PRODUCTS) ? store.pages().products() : [];
	const pids = new Set([...marked.filter((pid) => pid !== ALL_PRODUCTS), ...all]);
	return [...pids].filter((pid) => isOutdated(pid, oldestOf(store, pid)));
}

/** When the oldest value of a product was fetched, in milliseconds since 1970. */
function oldestOf(store: ReviewStore, pid: string): number {
	const times = SENT_KINDS.map((kind) => store.table(kind).entry(pid)?.fetchedAt ?? Number.POSITIVE_INFINITY);
	const oldest = Math.min(...times);
	return Number.isFinite(oldest) ? oldest : Number.NEGATIVE_INFINITY;
}
