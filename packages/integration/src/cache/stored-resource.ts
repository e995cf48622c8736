import QuickLRU from 'quick-lru';
import { type Losses, vanished } from '../failures/create-losses.js';
import { describeFailure } from '../failures/describe-failure.js';
import type { Failure, Outcomes } from '../outcomes/outcomes.js';
import type { DroppedParts } from '../parse/field-reader.js';
import type { Fetched } from '../service/review-service.js';
import type { Table } from '../store/review-store.js';
import type { StoreSharing } from './build-storage.js';
import { createCachedResource, type Flight } from './cached-resource.js';
import { inBatches } from './in-batches.js';
import type { ResourceRules } from './resource-rules.js';

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

/** What fetching products of one resource works with. */
interface StoreFetchContext {
	readonly table: Table<unknown>;
	/** Requests a product from the service and checks the answer. */
	readonly fetch: (pid: string, validators: string | undefined) => Promise<Fetched>;
	readonly rules: ResourceRules;
	/** The outcome of each product. Once settled, it holds until the end of the build. */
	readonly outcomes: Pick<Outcomes, 'settle' | 'isSettled' | 'addAnswer' | 'addFailure'>;
	/** Decides whether to believe that products have lost all their reviews. @default every loss is believed */
	readonly losses?: Losses;
	/** What builders share. @default nothing */
	readonly sharing?: StoreSharing | undefined;
}

/** Fetches products into the store and remembers failures. */
interface StoreFetch {
	/** @param validators of the stored value; `''` to force a full answer. */
	fetch(pid: string, flight: Flight, validators?: string): Promise<void>;
	/** @throws ProductReviewsError if the failure ends the page. */
	onFailure(pid: string, error: unknown): void;
	/** The last failure of a product, and when it was, on the monotonic clock. */
	failureOf(pid: string): { readonly at: number; readonly failure: Failure } | undefined;
	/** Lets a failed product be requested again at once. */
	forgetFailure(pid: string): void;
	/** Whether a failed product is shown from the store. @throws ProductReviewsError if any failure ends the build. */
	isShownStale(pid: string): boolean;
	/** What became of the last request for a product. */
	lastAnswer(pid: string): LastAnswer;
}

/** What became of the last request for a product. */
interface LastAnswer {
	/** `undefined` if it did not fail. */
	readonly failure: Failure | undefined;
	/** What the last whole answer lost, on a dev server; `undefined` if there was none since it started. */
	readonly dropped: DroppedParts | undefined;
}

function createStoreFetch(context: StoreFetchContext): StoreFetch {
	const { table, rules, outcomes, sharing } = context;
	const failed = new Map<string, { readonly at: number; readonly failure: Failure }>();
	const droppedParts = new Map<string, DroppedParts>();
	const consequence = (pid: string, error: unknown) => rules.consequence(table.entry(pid), pid, error);
	const settle = (pid: string, status: 'missing' | 'fetched' | 'unchanged') => {
		failed.delete(pid);
		outcomes.settle(pid, status);
	};

	const request = createRequest(context, settle, droppedParts);

	return {
		async fetch(pid, flight, validators) {
			// A whole answer is wanted where the stored one cannot be used.
			if (!sharing || validators === '') return request(pid, flight, validators);
			const turn = await sharing.begin(pid);
			if (!turn) return settle(pid, 'unchanged');
			try {
				await request(pid, flight, validators, turn.answered);
				turn.share();
			} finally {
				turn.end();
			}
		},
		onFailure(pid, error) {
			const { shows, status } = consequence(pid, error);
			const stale = shows === 'the stored reviews' && table.get(pid) !== undefined;
			const failure = { pid, reason: describeFailure(error), stale, error };
			failed.set(pid, { at: rules.monotonicNow(), failure });
			// A dev server runs for days, and never writes a report.
			if (rules.isBuild) outcomes.addFailure(failure);
			if (stale) table.change(pid, { state: 'stale' });
			outcomes.settle(pid, stale || status !== 'stale' ? status : 'failed', failure.reason);
			rules.onFailure(failure);
			if (shows === 'an error') throw rules.ending(failure);
		},
		failureOf: (pid) => failed.get(pid),
		forgetFailure: (pid) => void failed.delete(pid),
		lastAnswer: (pid) => ({ failure: failed.get(pid)?.failure, dropped: droppedParts.get(pid) }),
		isShownStale(pid) {
			const failure = failed.get(pid)?.failure;
			if (failure && rules.endsOnFailure) throw rules.ending(failure);
			return consequence(pid, failure?.error).shows === 'the stored reviews';
		},
	};
}

/** Returns a function that requests a product and stores the answer. */
function createRequest(
	{ table, fetch, rules, outcomes, losses }: StoreFetchContext,
	settle: (pid: string, status: 'missing' | 'fetched' | 'unchanged') => void,
	droppedParts: Map<string, DroppedParts>,
) {
	return async (
		pid: string,
		flight: Flight,
		known = table.entry(pid)?.validators,
		onAnswer = () => {},
	): Promise<void> => {
		const { packed, isEmpty, dropped, validators } = await fetch(pid, known);
		onAnswer();
		const before = isEmpty && losses ? table.entry(pid) : undefined;
		if (before && losses?.isLoss(pid, before)) {
			flight.arrive();
			if (!(await losses.isBelieved(pid))) throw vanished();
		}
		if (packed) table.put(pid, packed, rules.now(), validators);
		else table.change(pid, { fetchedAt: rules.now(), state: 'fetched' });
		if (packed && !rules.isBuild) droppedParts.set(pid, dropped);
		outcomes.addAnswer(pid, rules.isBuild ? dropped : {});
		settle(pid, isEmpty ? 'missing' : packed ? 'fetched' : 'unchanged');
	};
}
