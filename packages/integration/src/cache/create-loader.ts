import QuickLRU from 'quick-lru';
import { ReviewServiceError, ReviewsUnavailableError } from '../errors.js';
import type { Advise } from '../failures/create-advice.js';
import type { Losses } from '../failures/create-losses.js';
import { describeFailure } from '../failures/describe-failure.js';
import { kindOf } from '../failures/failure-kind.js';
import { consequenceOf, type FailureConsequence, type StoredState } from '../failures/failure-policy.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { Status } from '../outcomes/create-outcomes.js';
import type { Failure, Tally } from '../outcomes/tally.js';
import type { Fetched } from '../service/review-service.js';
import { CLOCK_TOLERANCE, type Table } from '../store/review-store.js';
import { nameProduct } from '../text/name-products.js';

/** What a loader works with. */
export interface LoaderContext<Stored, Value> {
	readonly table: Table<Stored>;
	/** Makes of what is stored what pages get. */
	readonly restore: (stored: Stored) => Value;
	/** Asks the service for a product and checks the answer. */
	readonly fetch: (pid: string, validators: string | undefined) => Promise<Fetched>;
	/** Moves a product that waits to be asked for to the front: a page waits for it. */
	readonly hurry: (pid: string) => void;
	readonly policy: Pick<ProductReviewsOptions, 'maxStale' | 'onError'> & {
		/** How old a value may be, in milliseconds: it may change while products are checked. */
		readonly maxAge: () => number;
	};
	readonly tally: Pick<Tally, 'fetched' | 'dropped' | 'failures'>;
	/** Is told what a product came to. */
	readonly settled: (pid: string, status: Status, reason?: string) => void;
	/** Whether it is known by now that the store has what a build shows: what was looked at is not looked at again. */
	readonly isSettled: (pid: string) => boolean;
	/** Whether something is known that makes a value of this age outdated. */
	readonly isOutdated: (pid: string, fetchedAt: number) => boolean;
	/** Resolves when that is known of the products of the list; `undefined` where nobody checks them. */
	readonly checked: Promise<unknown> | undefined;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Milliseconds of a clock that is never set. @default `now` */
	readonly monotonicNow?: (() => number) | undefined;
	/** From when on a fetched value counts as fresh whatever `maxAge` says: the start of the build. */
	readonly startedAt: number;
	/** How long a failed product is not asked for again, in milliseconds. */
	readonly failureMemory: number;
	readonly onFailure: (failure: Failure) => void;
	/** What to check where the service refuses a product. @default nothing is said */
	readonly advise?: Advise;
	/** Decides whether products that had reviews have none any more. @default all of it is believed */
	readonly losses?: Losses;
}

/** Brings the value of a product from the store or, where that is not fresh, from the service. */
export interface Loader<Value> {
	/** `undefined` where the service failed and the store has nothing that may be used. */
	load(pid: string): Promise<Value | undefined>;
	/** Waits until {@link Loader.load} would give a value, and gives what `read` does then. */
	when<Result>(pid: string, read: (pid: string) => Result): Promise<Result | undefined>;
	/** The digest of what {@link Loader.load} gives. */
	digest(pid: string): Promise<string | undefined>;
	/**
	 * As {@link Loader.load}, without reading a value that is fresh in the store, and without waiting until it is known
	 * whether a loss is believed.
	 */
	refresh(pid: string): Promise<void>;
}

/** A value as pages get it. */
interface Restored<Value> {
	readonly digest: string;
	readonly value: Value;
}

/** Values that stay at hand after they were read: some megabytes. */
const RECENT = 100;

/** What came of a request: a value, the word that the stored one is current, or nothing. */
type Answer = 'sent' | 'current' | 'failed';

/** A request that is not over. */
interface Asked {
	/** When it is known what pages show. */
	readonly answer: Promise<Answer>;
	/** When the service has answered, whether that is believed or not. */
	readonly arrived: Promise<unknown>;
}

export function createLoader<Stored, Value>(context: LoaderContext<Stored, Value>): Loader<Value> {
	const {
		table,
		restore,
		fetch,
		hurry,
		isOutdated,
		checked,
		policy,
		tally,
		settled,
		isSettled,
		now,
		monotonicNow = now,
		startedAt,
		failureMemory,
		onFailure,
		advise,
		losses,
	} = context;
	// A page asks for the same product several times, and a list for some that were on a page just now.
	const recent = new QuickLRU<string, Restored<Value>>({ maxSize: RECENT });
	// A value is read from the store by those who want it: the prefetch does not.
	const inFlight = new Map<string, Asked>();
	const isBuild = Number.isFinite(startedAt);
	const failed = new Map<string, { readonly at: number; readonly failure: Failure }>();

	const isFresh = (pid: string, fetchedAt: number) => {
		if (isOutdated(pid, fetchedAt)) return false;
		const age = now() - fetchedAt;
		// A value from the future was written by a clock that was wrong; it would be fresh for years.
		return age > -CLOCK_TOLERANCE && (fetchedAt >= startedAt || age < policy.maxAge());
	};
	const storedState = (pid: string): StoredState => {
		const fetchedAt = table.entry(pid)?.fetchedAt;
		if (fetchedAt === undefined) return 'nothing';
		if (now() - fetchedAt > policy.maxStale) return 'too old';
		return isFresh(pid, fetchedAt) ? 'fresh' : 'stale';
	};
	/** What a page shows of a product that failed. How many failed is not known before the end of the build. */
	const consequence = (pid: string, error: unknown): FailureConsequence =>
		consequenceOf({
			kind: kindOf(error),
			stored: storedState(pid),
			onError: policy.onError,
			isFew: false,
		});
	const isShownStale = (pid: string) =>
		consequence(pid, failed.get(pid)?.failure.error).shows === 'the stored reviews';

	/** @param onArrival called where the answer came, and is not believed at once. */
	async function ask(pid: string, validators: string | undefined, onArrival: () => void): Promise<Answer> {
		try {
			const { packed, isEmpty, dropped, validators: given } = await fetch(pid, validators);
			const before = isEmpty && losses ? table.entry(pid) : undefined;
			if (before && losses?.isLoss(pid, before)) {
				onArrival();
				if (!(await losses.isBelieved(pid))) throw vanished();
			}
			recent.delete(pid);
			if (packed) table.put(pid, packed, now(), given);
			else table.change(pid, { fetchedAt: now(), state: 'fetched' });
			if (isBuild && Object.keys(dropped).length > 0) tally.dropped.push({ pid, parts: dropped });
			tally.fetched += 1;
			settled(pid, isEmpty ? 'missing' : packed ? 'fetched' : 'unchanged');
			return packed ? 'sent' : 'current';
		} catch (error) {
			const { shows, status } = consequence(pid, error);
			const stale = shows === 'the stored reviews' && table.get(pid) !== undefined;
			const failure = { pid, reason: describeFailure(error), stale, error };
			failed.set(pid, { at: monotonicNow(), failure });
			// A dev server goes on for days, and reports nothing at an end.
			if (isBuild) tally.failures.push(failure);
			if (stale) table.change(pid, { state: 'stale' });
			settled(pid, stale || status !== 'stale' ? status : 'failed', failure.reason);
			onFailure(failure);
			if (shows === 'an error') throw unavailable(failure, advise?.([failure]));
			return 'failed';
		}
	}

	function askOnce(pid: string, validators = table.entry(pid)?.validators): Asked {
		const known = inFlight.get(pid);
		if (known) return known;
		const arrival = Promise.withResolvers<void>();
		const answer = ask(pid, validators, arrival.resolve).finally(() => inFlight.delete(pid));
		const asked = { answer, arrived: Promise.race([answer, arrival.promise]) };
		// Where no page asks for it, the end of the build says what went wrong.
		for (const promise of [asked.answer, asked.arrived]) promise.catch(() => {});
		inFlight.set(pid, asked);
		return asked;
	}

	const read = (pid: string): Restored<Value> | undefined => {
		const known = recent.get(pid);
		if (known && (isBuild || known.digest === table.entry(pid)?.digest)) return known;
		const stored = table.get(pid);
		if (!stored) return undefined;
		const restored = { digest: stored.digest, value: restore(stored.value) };
		recent.set(pid, restored);
		return restored;
	};

	const failedLately = (pid: string) => {
		const last = failed.get(pid);
		return last && monotonicNow() - last.at < failureMemory ? last.failure : undefined;
	};

	const isFreshInStore = (pid: string) => {
		if (isSettled(pid)) return true;
		const fetchedAt = table.entry(pid)?.fetchedAt;
		return fetchedAt !== undefined && isFresh(pid, fetchedAt);
	};

	/** Reads from the store, when that has what is to be used. */
	async function settle<Result>(pid: string, read: (pid: string) => Result | undefined) {
		// What is not stored has to be fetched whatever the checks say.
		if (checked && !isSettled(pid) && table.entry(pid)) await checked;
		if (!inFlight.has(pid)) {
			const failure = failedLately(pid);
			if (failure && policy.onError === 'fail') throw unavailable(failure, advise?.([failure]));
			if (failure) return isShownStale(pid) ? read(pid) : undefined;
			const stored = isFreshInStore(pid) ? read(pid) : undefined;
			if (stored !== undefined) {
				settled(pid, 'unchanged');
				return stored;
			}
		}
		const asked = askOnce(pid);
		hurry(pid);
		const answer = await asked.answer;
		if (answer === 'failed' && !isShownStale(pid)) return undefined;
		const value = read(pid);
		if (value !== undefined || answer !== 'current') return value;
		// What the service says is current cannot be read: it has to be sent again.
		return (await askOnce(pid, '').answer) === 'failed' ? undefined : read(pid);
	}

	return {
		when: async (pid, read) => (await settle(pid, (pid) => ({ result: read(pid) })))?.result,
		load: async (pid) => (await settle(pid, read))?.value,
		digest: (pid) => settle(pid, (pid) => table.entry(pid)?.digest),
		async refresh(pid) {
			if (failedLately(pid)) return;
			if (isFreshInStore(pid)) settled(pid, 'unchanged');
			else await askOnce(pid).arrived;
		},
	};
}

function vanished(): ReviewServiceError {
	return new ReviewServiceError(
		'the service says that all its reviews are gone, as those of many products at once. If that is right, run "npx product-reviews invalidate --all".',
		'',
		{ kind: 'vanished' },
	);
}

function unavailable({ pid, reason, error }: Failure, advice: string | undefined): ReviewsUnavailableError {
	return new ReviewsUnavailableError(
		[pid],
		`The service failed for the product ${nameProduct(pid)}: ${reason}`,
		[
			advice,
			'The option "onError" is "fail", so that any failure ends the build. With "stale" stored reviews are used.',
		]
			.filter(Boolean)
			.join(' '),
		{ cause: error },
	);
}
