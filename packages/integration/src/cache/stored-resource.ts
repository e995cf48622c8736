import QuickLRU from 'quick-lru';
import type { Table } from '../store/review-store.js';
import { createCachedResource } from './cached-resource.js';
import { createStoreFetch, type LastAnswer, type StoreFetchContext } from './fetch-into-store.js';
import { inBatches } from './in-batches.js';

/** What one resource of a build or dev server works with. */
export interface StoredResourceContext<Stored, Value> extends StoreFetchContext {
	readonly table: Table<Stored>;
	/** Turns a stored value into the one that pages get. */
	readonly restore: (stored: Stored) => Value;
	/** Moves the pending request for a product to the front, because a page waits for it. */
	readonly prioritize: (pid: string) => void;
	/** Resolves when it is known which stored products are outdated; `undefined` if this is not checked. */
	readonly checked?: Promise<unknown> | undefined;
}

/** The values of one resource, from the store or, if they are not fresh there, from the service. */
export interface StoredResource<Value> {
	/** Waits until the store has what pages show. @returns whether there is anything to show. */
	settle(pid: string): Promise<boolean>;
	/** Whether {@link StoredResource.settle} would resolve at once, to `true`. */
	isSettled(pid: string): boolean;
	/** `undefined` if the service failed and the store has no usable value. */
	load(pid: string): Promise<Value | undefined>;
	/** The digest of what {@link StoredResource.load} returns. */
	digest(pid: string): Promise<string | undefined>;
	/** Makes sure that a product is fresh in the store, without reading it or waiting for the decision about a loss. */
	refresh(pid: string): Promise<void>;
	/** Takes over what other builders have of these products, if they share anything. */
	lookUp(pids: readonly string[]): Promise<void>;
	/** Makes the next caller request the whole product, even if it is fresh or has just failed. */
	renew(pid: string): void;
	/** What became of the last request for a product. */
	lastAnswer(pid: string): LastAnswer;
}

export function createStoredResource<Stored, Value>(
	context: StoredResourceContext<Stored, Value>,
): StoredResource<Value> {
	const { table, rules, outcomes, checked } = context;
	const read = createReader(context);
	const storeFetch = createStoreFetch(context);
	// Their next request has no validators. With them, the service could answer that the stored value is current.
	const whole = new Set<string>();
	const isKnown = (pid: string) => rules.isBuild && outcomes.isSettled(pid);
	const isStoredFresh = createFreshCheck(context);
	const resource = createCachedResource({
		isFresh: (pid) => !whole.has(pid) && (isKnown(pid) || rules.isFresh(pid, table.entry(pid))),
		fetch: (pid, flight) => storeFetch.fetch(pid, flight, whole.delete(pid) ? '' : undefined),
		onFailure: storeFetch.onFailure,
		failedAt: (pid) => storeFetch.failureOf(pid)?.at,
		failureMemory: rules.failureMemory,
		monotonicNow: rules.monotonicNow,
	});

	async function settle(pid: string): Promise<boolean> {
		// A missing value must be requested, whatever the checks find.
		if (checked && !isKnown(pid) && table.entry(pid)) await checked;
		const flight = resource.inFlight(pid) ?? resource.request(pid);
		if (flight) {
			context.prioritize(pid);
			await flight.done;
		} else if (!resource.hasFailed(pid)) outcomes.settle(pid, 'unchanged');
		return !resource.hasFailed(pid) || storeFetch.isShownStale(pid);
	}

	return {
		settle,
		isSettled: (pid) => isKnown(pid) && !whole.has(pid) && !resource.isBusy(pid),
		async load(pid) {
			if (!(await settle(pid))) return undefined;
			const value = read(pid);
			if (value !== undefined || resource.hasFailed(pid)) return value;
			// The stored value cannot be read.
			whole.add(pid);
			await resource.requestAnew(pid)?.done;
			return resource.hasFailed(pid) ? undefined : read(pid);
		},
		digest: async (pid) => ((await settle(pid)) ? table.entry(pid)?.digest : undefined),
		async refresh(pid) {
			if (resource.hasFailed(pid)) return;
			const isFresh = !whole.has(pid) && (isKnown(pid) || (await isStoredFresh(pid)));
			if (isFresh) outcomes.settle(pid, 'unchanged');
			else await resource.requestAnew(pid)?.arrived;
		},
		lookUp: async (pids) => context.sharing?.lookUp(pids),
		renew(pid) {
			whole.add(pid);
			storeFetch.forgetFailure(pid);
			resource.outdate(pid);
		},
		lastAnswer: storeFetch.lastAnswer,
	};
}

/** Products looked up at once. */
const BATCH = 200;

/** Returns a function that tells whether the stored value of a product is fresh. Those of one turn are looked up together. */
function createFreshCheck({ table, rules }: Pick<StoreFetchContext, 'table' | 'rules'>) {
	const freshAmong = inBatches((pids) => {
		const entries = table.entries(pids);
		return new Set(pids.filter((pid) => rules.isFresh(pid, entries.get(pid))));
	}, BATCH);
	return async (pid: string) => (await freshAmong(pid)).has(pid);
}

/** Number of values kept in memory after they were read. They take a few megabytes. */
const RECENT = 100;

/** Reads values. Pages ask for the same product several times, and listings for products that were shown moments ago. */
function createReader<Stored, Value>({ table, restore }: StoredResourceContext<Stored, Value>) {
	const recent = new QuickLRU<string, { readonly digest: string; readonly value: Value }>({
		maxSize: RECENT,
	});
	return (pid: string): Value | undefined => {
		const known = recent.get(pid);
		if (known && known.digest === table.entry(pid)?.digest) return known.value;
		const stored = table.get(pid);
		if (!stored) return undefined;
		const value = restore(stored.value);
		recent.set(pid, { digest: stored.digest, value });
		return value;
	};
}
