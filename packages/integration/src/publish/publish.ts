import { dirname, join } from 'node:path';
import { openReviews } from '../build/open-reviews.js';
import type { Output } from '../build/output.js';
import { pack } from '../store/pack.js';
import { type ReviewStore, SENT_KINDS } from '../store/review-store.js';
import { publishProducts } from './publish-products.js';
import type { Published } from './published.js';
import { readConnection } from './read-connection.js';

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
export async function publish(given: GivenProducts, context: PublishContext): Promise<Published> {
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
	const left = unfinished.get(UNFINISHED)?.value ?? [];
	const pids = [...new Set([...left, ...productsOf(given, store, revalidation.isOutdated)])];
	try {
		unfinished.put(UNFINISHED, pack(pids), Date.now());
		store.flush();
		const published = await publishProducts(pids, {
			reviews,
			output,
			folder: join(folder, output.folder),
			isDryRun,
			onProgress: (done) => context.onProgress(done, pids.length),
		});
		if (!isDryRun) unfinished.put(UNFINISHED, pack([]), Date.now());
		return published;
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
	return store.pids('mark').filter((pid) => isOutdated(pid, oldestOf(store, pid)));
}

/** When the oldest value of a product was fetched, in milliseconds since 1970. */
function oldestOf(store: ReviewStore, pid: string): number {
	const times = SENT_KINDS.map((kind) => store.table(kind).entry(pid)?.fetchedAt ?? Number.POSITIVE_INFINITY);
	const oldest = Math.min(...times);
	return Number.isFinite(oldest) ? oldest : Number.NEGATIVE_INFINITY;
}
