import { PRODUCTS_PER_REQUEST } from '../../cache/collect-ratings.js';
import type { ChangedProducts } from '../../session/read-changed-products.js';
import { openStore } from '../../store/open-store.js';
import { RESOURCES } from '../../store/review-store.js';
import { type RefreshContext, type Refreshed, refreshStore } from './refresh-store.js';

/** Products that one worker refreshes at a time. */
export interface Chunk {
	readonly pids: readonly string[];
	/** Those of them that are requested even if they are fresh. */
	readonly changed: ChangedProducts;
	/** Whether they failed before, and are not tried again. */
	readonly isLastTry: boolean;
}

/** As many as fit into one request for ratings. */
export const CHUNK_SIZE = PRODUCTS_PER_REQUEST;

/**
 * How often a worker writes the store, in milliseconds. What it has not written when it is killed is requested again, by
 * the worker that takes over.
 */
const FLUSH_EVERY = 20;

/** Splits a product list into chunks. Only one of them is in memory. */
export async function* toChunks(
	products: AsyncIterable<string>,
	{ pids, all }: ChangedProducts,
): AsyncGenerator<Chunk, void, undefined> {
	const changed = new Set(pids);
	const chunkOf = (ids: readonly string[]): Chunk => ({
		pids: ids,
		changed: { pids: ids.filter((pid) => changed.has(pid)), all },
		isLastTry: false,
	});
	let waiting: string[] = [];
	for await (const pid of products) {
		waiting.push(pid);
		if (waiting.length < CHUNK_SIZE) continue;
		yield chunkOf(waiting);
		waiting = [];
	}
	if (waiting.length > 0) yield chunkOf(waiting);
}

/**
 * Refreshes the products of a chunk. Those that were fetched since the run started are not requested again: another worker
 * got to them, and ended before it was done with the chunk.
 * @param startedAt when the run started, in milliseconds since 1970.
 */
export async function refreshChunk(
	{ pids, changed, isLastTry }: Chunk,
	startedAt: number,
	context: Omit<RefreshContext, 'products' | 'changed'>,
): Promise<Refreshed> {
	const done = fetchedSince(startedAt, pids, context);
	const products = pids.filter((pid) => !done.has(pid));
	const refreshed =
		products.length === 0
			? NOTHING
			: await refreshStore({
					...context,
					products,
					changed: { ...changed, pids: changed.pids.filter((pid) => !done.has(pid)) },
					flushEvery: FLUSH_EVERY,
					isTriedAgain: !isLastTry,
				});
	const { totals } = refreshed;
	return {
		...refreshed,
		totals: {
			...totals,
			products: totals.products + done.size,
			fetched: totals.fetched + done.size,
		},
	};
}

/** What a refresh of no products does. */
export const NOTHING: Refreshed = {
	totals: { products: 0, fetched: 0, unchanged: 0, missing: 0, stale: 0, failed: 0 },
	requests: 0,
	failed: [],
};

function fetchedSince(
	startedAt: number,
	pids: readonly string[],
	{ storeFile, connection }: Pick<RefreshContext, 'storeFile' | 'connection'>,
): ReadonlySet<string> {
	// If it cannot be opened, the refresh says so.
	const store = openStore(storeFile, connection.account, () => {});
	const stored = RESOURCES.map((resource) => store.table(resource).entries(pids));
	store.close();
	const isDone = (pid: string) => {
		const entries = stored.flatMap((found) => found.get(pid) ?? []);
		return (
			entries.length > 0 &&
			entries.every(({ state, fetchedAt }) => state === 'fetched' && fetchedAt >= startedAt)
		);
	};
	return new Set(pids.filter(isDone));
}
