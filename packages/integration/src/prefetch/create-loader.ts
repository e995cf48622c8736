import type { LimitFunction } from 'p-limit';
import { ReviewsUnavailableError } from '../errors.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { Table } from '../store/review-store.js';
import { describeFailure } from './describe-failure.js';
import type { Failure, Tally } from './tally.js';

/** What a loader works with. */
export interface LoaderContext<Value> {
	readonly table: Table<Value>;
	/** Asks the service for a product and checks the answer. */
	readonly fetchValue: (pid: string) => Promise<Value>;
	/** Bounds the requests in flight, over all loaders. */
	readonly limit: LimitFunction;
	readonly policy: Pick<ProductReviewsOptions, 'maxAge' | 'maxStale' | 'onError'>;
	readonly tally: Tally;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** From when on a fetched value counts as fresh whatever `maxAge` says: the start of the build. */
	readonly startedAt: number;
	/** How long a failed product is not asked for again, in milliseconds. */
	readonly failureMemory: number;
	readonly onFailure: (failure: Failure) => void;
}

/** Brings the value of a product from the store or, where that is not fresh, from the service. */
export interface Loader<Value> {
	/** `undefined` where the service failed and the store has nothing that may be used. */
	load(pid: string): Promise<Value | undefined>;
	/** As {@link Loader.load}, without reading a value that is fresh in the store. */
	refresh(pid: string): Promise<void>;
}

export function createLoader<Value>(context: LoaderContext<Value>): Loader<Value> {
	const { table, fetchValue, limit, policy, tally, now, startedAt, failureMemory, onFailure } = context;
	const inFlight = new Map<string, Promise<Value | undefined>>();
	const failedAt = new Map<string, number>();

	const isFresh = (fetchedAt: number) => fetchedAt >= startedAt || now() - fetchedAt < policy.maxAge;
	const usableWhenStale = (pid: string) => {
		const stored = policy.onError === 'fail' ? undefined : table.get(pid);
		return stored && now() - stored.fetchedAt <= policy.maxStale ? stored.value : undefined;
	};

	async function ask(pid: string): Promise<Value | undefined> {
		try {
			const value = await fetchValue(pid);
			tally.fetched += 1;
			table.put(pid, value, now());
			return value;
		} catch (error) {
			const value = usableWhenStale(pid);
			const failure = { pid, reason: describeFailure(error), stale: value !== undefined, error };
			failedAt.set(pid, now());
			tally.failures.push(failure);
			onFailure(failure);
			if (policy.onError === 'fail') throw unavailable(failure);
			return value;
		}
	}

	function askOnce(pid: string): Promise<Value | undefined> {
		let asked = inFlight.get(pid);
		if (!asked) {
			asked = limit(() => ask(pid)).finally(() => inFlight.delete(pid));
			inFlight.set(pid, asked);
		}
		return asked;
	}

	const failedLately = (pid: string) => now() - (failedAt.get(pid) ?? -Infinity) < failureMemory;

	return {
		async load(pid) {
			if (inFlight.has(pid)) return askOnce(pid);
			if (failedLately(pid)) return usableWhenStale(pid);
			const stored = table.get(pid);
			return stored && isFresh(stored.fetchedAt) ? stored.value : askOnce(pid);
		},
		async refresh(pid) {
			const fetchedAt = table.fetchedAt(pid);
			if (failedLately(pid) || (fetchedAt !== undefined && isFresh(fetchedAt))) return;
			await askOnce(pid);
		},
	};
}

function unavailable({ pid, reason, error }: Failure): ReviewsUnavailableError {
	return new ReviewsUnavailableError(
		[pid],
		`The service failed for the product "${pid}": ${reason}`,
		'The option "onError" is "fail", so that any failure ends the build. With "stale" stored reviews are used.',
		{ cause: error },
	);
}
