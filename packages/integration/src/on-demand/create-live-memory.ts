import { createCachedResource, type Flight } from '../cache/cached-resource.js';
import { createAges } from './ages.js';
import { createEntries } from './live-entries.js';
import { createLiveLosses } from './live-losses.js';
import type { LiveMemory, LiveMemoryContext } from './live-memory.js';
import { createPatience } from './patience.js';

/** How long a product that failed is not requested again, in milliseconds. */
const FAILURE_MEMORY = 10_000;

/** Ids that anybody can make up are counted on their own, so that they keep no known product waiting. */
type Kind = 'known' | 'others';

export function createLiveMemory<Value, Known>(context: LiveMemoryContext<Value, Known>): LiveMemory<Value> {
	const { ask, isEmpty, isKnown, stale, most, now, monotonicNow, onFailure } = context;
	const entries = createEntries<Value, Known>(most);
	const losses = createLiveLosses(entries, context);
	const { kindOf, begin } = createLimits(most, isKnown);
	const patience = createPatience<Kind>(context);

	const { isFresh, isWithin, usable, freshnessOf } = createAges<Value, Known>(context);

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
		begin,
	});

	async function fetchProduct(pid: string, flight: Flight): Promise<void> {
		const good = entries.get(pid)?.good;
		const answer = await ask(pid, good?.known);
		const sent = answer === 'unchanged' ? good : answer;
		const fetchedAt = monotonicNow();
		patience.restore(kindOf(pid));
		// One that was sent before a change may end after one that was sent since.
		if (!sent || (entries.get(pid)?.good?.fetchedAt ?? Number.NEGATIVE_INFINITY) > flight.startedAt) return;
		const { value, known } = sent;
		const changedAt = good && isEqual(good.value, value) ? good.changedAt : now();
		const entry = { good: { value, known, fetchedAt, changedAt }, isOutdated: flight.isOutdated };
		await losses.check(pid, value, () => entries.setGood(pid, entry, isEmpty(value)));
	}

	return {
		async load(pid) {
			const entry = entries.get(pid, true);
			if (isFresh(entry)) return entry?.good?.value;
			const flight = resource.request(pid);
			const mayWait = entry?.isOutdated || !isWithin(entry, stale);
			if (flight && mayWait) await patience.waitFor(kindOf(pid), flight);
			return usable(entries.get(pid));
		},
		peek: (pid) => usable(entries.get(pid)),
		freshness: (pid) => freshnessOf(entries.get(pid)),
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

/** Limits how many products of each kind are requested at once. */
function createLimits(most: number, isKnown: (pid: string) => boolean) {
	const kinds = new Map<string, Kind>();
	const inFlight: Record<Kind, number> = { known: 0, others: 0 };
	const kindOf = (pid: string): Kind => kinds.get(pid) ?? (isKnown(pid) ? 'known' : 'others');
	return {
		/** The kind of a product, as it was when its request began. */
		kindOf,
		begin(pid: string): (() => void) | undefined {
			const kind: Kind = isKnown(pid) ? 'known' : 'others';
			if (inFlight[kind] >= most) return undefined;
			inFlight[kind] += 1;
			kinds.set(pid, kind);
			return () => {
				inFlight[kind] -= 1;
				kinds.delete(pid);
			};
		},
	};
}

function isEqual(one: unknown, other: unknown): boolean {
	return one === other || JSON.stringify(one) === JSON.stringify(other);
}
