import { dirname, join } from 'node:path';
import { openReviews } from '../build/open-reviews.js';
import type { Output } from '../build/output.js';
import { ALL_PRODUCTS } from '../store/marks.js';
import { pack } from '../store/pack.js';
import { type ReviewStore, SENT_KINDS } from '../store/review-store.js';
import { type PublishedProducts, publishProducts } from './publish-products.js';
import { readConnection } from './read-connection.js';
import { renewSitemaps } from './renew-sitemaps.js';

/** Where and how to publish. */
export interface PublishContext {
	/** Path of the store's file. */
	readonly storeFile: string;
	/** What the last build wrote. */
	readonly output: Output;
	readonly environment: Readonly<Record<string, string | undefined>>;
	/** Whether to say what would be done, and do nothing. */
	readonly isDryRun: boolean;
	readonly warn: (message: string) => void;
	/** Called after each hundred products. */
	readonly onProgress: (done: number, total: number) => void;
}

/** Product ids, or which products of the store. */
export type GivenProducts = readonly string[] | 'marked' | 'all';

/** Age does not matter: what changed is named or marked. In milliseconds. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** Key of the products that a run which was killed, or a dry run, leaves to the next one. */
const UNFINISHED = 'unfinished';

/**
 * Brings the reviews of products into the files of the last build.
 * @param given product ids; `'marked'` for those that are marked as changed in the store; `'all'` for all that pages show.
 * @throws ProductReviewsConfigurationError if the build had a token and there is none now.
 * @throws Error of the file system.
 */
export async function publish(given: GivenProducts, context: PublishContext): Promise<PublishedProducts> {
	const { storeFile, output, environment, isDryRun, warn } = context;
	const folder = dirname(storeFile);
	const envFolder = output.envFolder === false ? false : join(folder, output.envFolder);
	const reviews = openReviews({
		command: 'build',
		options: { ...output.options, onError: 'stale', revalidate: 'age', maxAge: NEVER },
		connection: readConnection(output, envFolder, environment),
		storeFile,
		changed: { pids: typeof given === 'string' ? [] : given, all: given === 'all' },
		warn,
	});
	const { store, service, revalidation } = reviews;
	const unfinished = store.table<readonly string[]>('output');
	const { value: left = [], fetchedAt: leftAt } = unfinished.get(UNFINISHED) ?? {};
	// Pages that a killed run has written are not written again, but their sitemap may still be as it was.
	const since = left.length > 0 && leftAt !== undefined ? leftAt : Date.now();
	const pids = [...new Set([...left, ...productsOf(given, store, revalidation.isOutdated)])];
	try {
		// Those that fail, or are not reached, are asked for by the next run, whatever it is given.
		if (given === 'all') revalidation.mark(pids);
		unfinished.put(UNFINISHED, pack(pids), since);
		store.flush();
		const where = { output, folder: join(folder, output.folder), isDryRun };
		const done = await publishProducts(pids, {
			...where,
			reviews,
			now: Date.now,
			onProgress: (number) => context.onProgress(number, pids.length),
		});
		const changed = new Map([...done.times].filter(([page, time]) => done.pages.has(page) || time >= since));
		const sitemaps = await renewSitemaps(changed, where);
		if (!isDryRun) unfinished.put(UNFINISHED, pack([]), Date.now());
		return { ...done, published: { ...done.published, files: [...done.published.files, ...sitemaps] } };
	} finally {
		await service.close();
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
