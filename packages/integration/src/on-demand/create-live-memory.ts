import { createCachedResource, type Flight } from '../cache/cached-resource.js';
import { createEntries, type Entry } from './live-entries.js';
import type { LiveMemory, LiveMemoryContext } from './live-memory.js';

/** How long a product that failed is not requested again, in milliseconds. */
const FAILURE_MEMORY = 10_000;

/** Ids that anybody can make up are counted on their own, so that they keep no known product waiting. */
type Kind = 'known' | 'others';

export function createLiveMemory<Value, Known>(context: LiveMemoryContext<Value, Known>): LiveMemory<Value> {
	const { ask, isEmpty, isKnown, fresh, stale, maxStale, timeLimit, most } = context;
	const { now, monotonicNow, schedule, onFailure } = context;
	const entries = createEntries<Value, Known>(most);
	const kinds = new Map<string, Kind>();
	const inFlight: Record<Kind, number> = { known: 0, others: 0 };
	// A page with many products, one after the other, waits for a service that hangs only once.
	const slowUntil: Record<Kind, number> = {
		known: Number.NEGATIVE_INFINITY,
		others: Number.NEGATIVE_INFINITY,
	};

	const ageOf = (entry: Entry<Value, Known> | undefined) =>
		entry?.good ? monotonicNow() - entry.good.fetchedAt : Number.POSITIVE_INFINITY;
	const isWithin = (entry: Entry<Value, Known> | undefined, age: number) => {
		const since = ageOf(entry);
		// Even if the clock is set back, a value must not stay fresh for years.
		return since >= 0 && since <= age;
	};
	const isFresh = (entry: Entry<Value, Known> | undefined) => !entry?.isOutdated && isWithin(entry, fresh);
	const isUsable = (entry: Entry<Value, Known> | undefined) => ageOf(entry) <= Math.max(maxStale, stale);
	const usableOf = (entry: Entry<Value, Known> | undefined) =>
		isUsable(entry) ? entry?.good?.value : undefined;
	const kindOf = (pid: string): Kind => kinds.get(pid) ?? (isKnown(pid) ? 'known' : 'others');

	const resource = createCachedResource({
		isFresh: (pid) => isFresh(entries.get(pid)),
		fetch: fetchProduct,
		onFailure(pid, error) {
			entries.setFailed(pid, monotonicNow());
			onFailure(pid, error);
		},
		failedAt: (pid) => entries.get(pid)?.failedAt,
		failureMemory: FAILURE_MEMORY,
		monotonicNow,
		begin(pid) {
			const kind: Kind = isKnown(pid) ? 'known' : 'others';
			if (inFlight[kind] >= most) return undefined;
			inFlight[kind] += 1;
			kinds.set(pid, kind);
			return () => {
				inFlight[kind] -= 1;
				kinds.delete(pid);
			};
		},
	});

	async function fetchProduct(pid: string, flight: Flight): Promise<void> {
		const good = entries.get(pid)?.good;
		const answer = await ask(pid, good?.known);
		const sent = answer === 'unchanged' ? good : answer;
		const fetchedAt = monotonicNow();
		slowUntil[kindOf(pid)] = Number.NEGATIVE_INFINITY;
		// One that was sent before a change may end after one that was sent since.
		if (!sent || (entries.get(pid)?.good?.fetchedAt ?? Number.NEGATIVE_INFINITY) > flight.startedAt) return;
		const { value, known } = sent;
		const changedAt = good && isEqual(good.value, value) ? good.changedAt : now();
		const entry = { good: { value, known, fetchedAt, changedAt }, isOutdated: flight.isOutdated };
		entries.setGood(pid, entry, isEmpty(value));
	}

	async function waitFor(pid: string, { startedAt, done }: Flight): Promise<void> {
		const kind = kindOf(pid);
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
			const flight = resource.request(pid);
			const mayWait = entry?.isOutdated || !isWithin(entry, stale);
			if (flight && mayWait) await waitFor(pid, flight);
			return usableOf(entries.get(pid));
		},
		peek: (pid) => usableOf(entries.get(pid)),
		freshness(pid) {
			const entry = entries.get(pid);
			return {
				state: isFresh(entry) ? 'fresh' : isUsable(entry) ? 'stale' : 'missing',
				changedAt: entry?.good?.changedAt,
			};
		},
		has: entries.has,
		isAsked: (pid) => resource.inFlight(pid) !== undefined,
		forget(pid) {
			entries.outdate(pid);
			resource.outdate(pid);
		},
		forgetAll() {
			entries.outdateAll();
			resource.outdateAll();
		},
	};
}

function isEqual(one: unknown, other: unknown): boolean {
	return one === other || JSON.stringify(one) === JSON.stringify(other);
}
