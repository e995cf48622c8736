import { createEntries, type Entry, type Good } from './live-entries.js';
import type { LiveMemory, LiveMemoryContext } from './live-memory.js';

/** How long a product that failed is not asked for again, in milliseconds. */
const FAILURE_MEMORY = 10_000;

interface Flight {
	readonly startedAt: number;
	readonly isKnown: boolean;
	/** Never rejects. */
	readonly done: Promise<void>;
	/** What it brings may have changed while it was under way. */
	isOutdated: boolean;
}

export function createLiveMemory<Value, Known>(context: LiveMemoryContext<Value, Known>): LiveMemory<Value> {
	const { ask, isEmpty, isKnown, fresh, stale, maxStale, timeLimit, most } = context;
	const { now, monotonicNow, schedule, onFailure } = context;
	const entries = createEntries<Value, Known>(most);
	const flights = new Map<string, Flight>();
	const inFlight = { known: 0, others: 0 };
	// A page with many products, one after the other, waits for a service that hangs only once.
	const slowUntil = { known: Number.NEGATIVE_INFINITY, others: Number.NEGATIVE_INFINITY };

	const ageOf = (entry: Entry<Value, Known> | undefined) =>
		entry?.good ? monotonicNow() - entry.good.fetchedAt : Number.POSITIVE_INFINITY;
	const isWithin = (entry: Entry<Value, Known> | undefined, age: number) => {
		const since = ageOf(entry);
		// A clock that can be set back all the same must not keep a value fresh for years.
		return since >= 0 && since <= age;
	};
	const isFresh = (entry: Entry<Value, Known> | undefined) => !entry?.isOutdated && isWithin(entry, fresh);
	const isUsable = (entry: Entry<Value, Known> | undefined) => ageOf(entry) <= Math.max(maxStale, stale);
	const usableOf = (entry: Entry<Value, Known> | undefined) =>
		isUsable(entry) ? entry?.good?.value : undefined;

	async function fly(pid: string, good: Good<Value, Known> | undefined, flight: Flight): Promise<void> {
		try {
			const answer = await ask(pid, good?.known);
			const sent = answer === 'unchanged' ? good : answer;
			const fetchedAt = monotonicNow();
			slowUntil[kindOf(flight)] = Number.NEGATIVE_INFINITY;
			// One that was sent before a change may end after one that was sent since.
			if (!sent || (entries.get(pid)?.good?.fetchedAt ?? Number.NEGATIVE_INFINITY) > flight.startedAt) return;
			const { value, known } = sent;
			const changedAt = good && isEqual(good.value, value) ? good.changedAt : now();
			const entry = { good: { value, known, fetchedAt, changedAt }, isOutdated: flight.isOutdated };
			entries.setGood(pid, entry, isEmpty(value));
		} catch (error) {
			entries.setFailed(pid, monotonicNow());
			onFailure(pid, error);
		}
	}

	function start(pid: string, entry: Entry<Value, Known> | undefined): Flight | undefined {
		const since = entry?.failedAt === undefined ? undefined : monotonicNow() - entry.failedAt;
		if (since !== undefined && since >= 0 && since < FAILURE_MEMORY) return undefined;
		const isKnownNow = isKnown(pid);
		const kind = kindOf({ isKnown: isKnownNow });
		if (inFlight[kind] >= most) return undefined;
		inFlight[kind] += 1;
		const flight: Flight = {
			startedAt: monotonicNow(),
			isKnown: isKnownNow,
			isOutdated: false,
			done: Promise.resolve()
				.then(() => fly(pid, entry?.good, flight))
				.finally(() => {
					inFlight[kind] -= 1;
					if (flights.get(pid) === flight) flights.delete(pid);
				}),
		};
		flights.set(pid, flight);
		return flight;
	}

	async function waitFor(flight: Flight): Promise<void> {
		const { startedAt, done } = flight;
		const kind = kindOf(flight);
		const left = Math.min(timeLimit, startedAt + timeLimit - monotonicNow());
		if (left <= 0 || monotonicNow() < slowUntil[kind]) return;
		const { promise, resolve } = Promise.withResolvers<void>();
		const cancel = schedule(() => {
			slowUntil[kind] = monotonicNow() + timeLimit;
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
			const entry = entries.get(pid, true);
			if (isFresh(entry)) return entry?.good?.value;
			const flight = flights.get(pid) ?? start(pid, entry);
			const mayWait = entry?.isOutdated || !isWithin(entry, stale);
			if (flight && mayWait) await waitFor(flight);
			return usableOf(entries.get(pid));
		},
		peek: (pid) => usableOf(entries.get(pid)),
		standing(pid) {
			const entry = entries.get(pid);
			return {
				state: isFresh(entry) ? 'fresh' : isUsable(entry) ? 'stale' : 'missing',
				changedAt: entry?.good?.changedAt,
			};
		},
		has: entries.has,
		isAsked: (pid) => flights.has(pid),
		forget(pid) {
			entries.outdate(pid);
			leave(pid);
		},
		forgetAll() {
			entries.outdateAll();
			for (const pid of [...flights.keys()]) leave(pid);
		},
	};

	function leave(pid: string): void {
		const flight = flights.get(pid);
		if (flight) flight.isOutdated = true;
		flights.delete(pid);
	}
}

function kindOf({ isKnown }: Pick<Flight, 'isKnown'>): 'known' | 'others' {
	return isKnown ? 'known' : 'others';
}

function isEqual(one: unknown, other: unknown): boolean {
	return one === other || JSON.stringify(one) === JSON.stringify(other);
}
