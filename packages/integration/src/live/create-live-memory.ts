import QuickLRU from 'quick-lru';
import type { Standing } from '../runtime/sources.js';

/** What the service answered; `'unchanged'` where it says that what is remembered is current. */
type LiveAnswer<Value, Known> = { readonly value: Value; readonly known?: Known } | 'unchanged';

/** What a memory works with. Lengths of time are milliseconds. */
export interface LiveMemoryContext<Value, Known> {
	/** Asks the service. @param known what came with the value that is remembered. */
	readonly ask: (pid: string, known: Known | undefined) => Promise<LiveAnswer<Value, Known>>;
	/** How long a value is shown before it is asked for again. */
	readonly fresh: number;
	/** How old a value may be that is shown while it is asked for again. */
	readonly stale: number;
	/** How old a value may be that is shown because the service fails or takes too long. */
	readonly maxStale: number;
	/** How long a page waits, from the start of a request. */
	readonly timeLimit: number;
	/** Products that are remembered, and those that are asked for at once. */
	readonly most: number;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Calls back after a time. @returns what calls it off. */
	readonly schedule: (callback: () => void, milliseconds: number) => () => void;
	readonly onFailure: (pid: string, error: unknown) => void;
}

/** The values of products at request time: one request at once for each, however many pages ask. */
export interface LiveMemory<Value> {
	/** `undefined` where there is none in time. */
	load(pid: string): Promise<Value | undefined>;
	/** How good what {@link LiveMemory.load} gave last is. */
	standing(pid: string): Standing;
	/** Has a product asked for again before it counts as fresh. */
	forget(pid: string): void;
	forgetAll(): void;
}

/** How long a product that failed is not asked for again, in milliseconds. */
const FAILURE_MEMORY = 10_000;

interface Good<Value, Known> {
	readonly value: Value;
	readonly known?: Known | undefined;
	readonly fetchedAt: number;
	readonly changedAt: number;
}

interface Entry<Value, Known> {
	good?: Good<Value, Known>;
	failedAt?: number;
	/** It is known to have changed since. */
	isOutdated?: boolean;
}

interface Flight {
	readonly startedAt: number;
	/** Never rejects. */
	readonly done: Promise<void>;
	/** What it brings may have changed while it was under way. */
	isOutdated: boolean;
}

export function createLiveMemory<Value, Known>(context: LiveMemoryContext<Value, Known>): LiveMemory<Value> {
	const { ask, fresh, stale, maxStale, timeLimit, most, now, schedule, onFailure } = context;
	// It keeps two generations of this size.
	const entries = new QuickLRU<string, Entry<Value, Known>>({ maxSize: Math.floor(most / 2) });
	const flights = new Map<string, Flight>();
	// A page with many products, one after the other, waits for a service that hangs only once.
	let slowUntil = 0;

	const isWithin = (entry: Entry<Value, Known> | undefined, age: number) => {
		if (!entry?.good) return false;
		const since = now() - entry.good.fetchedAt;
		// A clock that was set back must not keep a value for years.
		return since >= 0 && since <= age;
	};
	const isFresh = (entry: Entry<Value, Known> | undefined) => !entry?.isOutdated && isWithin(entry, fresh);
	const isUsable = (entry: Entry<Value, Known> | undefined) => isWithin(entry, Math.max(maxStale, stale));

	async function fly(pid: string, good: Good<Value, Known> | undefined, flight: Flight): Promise<void> {
		try {
			const answer = await ask(pid, good?.known);
			const sent = answer === 'unchanged' ? good : answer;
			const time = now();
			slowUntil = 0;
			// One that was sent before a change may end after one that was sent since.
			if (!sent || (entries.get(pid)?.good?.fetchedAt ?? 0) > flight.startedAt) return;
			const { value, known } = sent;
			const changedAt = good && isEqual(good.value, value) ? good.changedAt : time;
			entries.set(pid, { good: { value, known, fetchedAt: time, changedAt }, isOutdated: flight.isOutdated });
		} catch (error) {
			entries.set(pid, { ...entries.get(pid), failedAt: now() });
			onFailure(pid, error);
		}
	}

	function start(pid: string, entry: Entry<Value, Known> | undefined): Flight | undefined {
		const since = entry?.failedAt === undefined ? undefined : now() - entry.failedAt;
		if (since !== undefined && since >= 0 && since < FAILURE_MEMORY) return undefined;
		if (flights.size >= most) return undefined;
		const flight: Flight = {
			startedAt: now(),
			isOutdated: false,
			done: Promise.resolve()
				.then(() => fly(pid, entry?.good, flight))
				.finally(() => {
					if (flights.get(pid) === flight) flights.delete(pid);
				}),
		};
		flights.set(pid, flight);
		return flight;
	}

	async function waitFor({ startedAt, done }: Flight): Promise<void> {
		const left = Math.min(timeLimit, startedAt + timeLimit - now());
		if (left <= 0 || now() < slowUntil) return;
		const { promise, resolve } = Promise.withResolvers<void>();
		const cancel = schedule(() => {
			slowUntil = now() + timeLimit;
			resolve();
		}, left);
		void done.then(() => {
			cancel();
			resolve();
		});
		await promise;
	}

	return {
		async load(pid) {
			const entry = entries.get(pid);
			if (isFresh(entry)) return entry?.good?.value;
			const flight = flights.get(pid) ?? start(pid, entry);
			const mayWait = entry?.isOutdated || !isWithin(entry, stale);
			if (flight && mayWait) await waitFor(flight);
			const latest = entries.get(pid);
			return isUsable(latest) ? latest?.good?.value : undefined;
		},
		standing(pid) {
			const entry = entries.peek(pid);
			return {
				state: isFresh(entry) ? 'fresh' : isUsable(entry) ? 'stale' : 'missing',
				changedAt: entry?.good?.changedAt,
			};
		},
		forget(pid) {
			const entry = entries.peek(pid);
			if (entry) outdate(entry);
			leave(pid);
		},
		forgetAll() {
			for (const entry of entries.values()) outdate(entry);
			for (const pid of [...flights.keys()]) leave(pid);
		},
	};

	function leave(pid: string): void {
		const flight = flights.get(pid);
		if (flight) flight.isOutdated = true;
		flights.delete(pid);
	}
}

function outdate<Value, Known>(entry: Entry<Value, Known>): void {
	entry.isOutdated = true;
	delete entry.failedAt;
}

function isEqual(one: unknown, other: unknown): boolean {
	return one === other || JSON.stringify(one) === JSON.stringify(other);
}
