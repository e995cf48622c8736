import { createCachedResource } from '../cache/cached-resource.js';
import { createAges } from './ages.js';
import { createLiveFetch } from './create-live-fetch.js';
import { createLooks } from './create-looks.js';
import { createTurns } from './create-turns.js';
import { createEntries } from './live-entries.js';
import { createLiveLosses } from './live-losses.js';
import type { LiveMemory, LiveMemoryContext } from './live-memory.js';
import { createPatience } from './patience.js';

/** How long a product that failed is not requested again, in milliseconds. */
const FAILURE_MEMORY = 10_000;

/** Ids that anybody can make up are counted on their own, so that they keep no known product waiting. */
type Kind = 'known' | 'others';

export function createLiveMemory<Value, Known>(context: LiveMemoryContext<Value, Known>): LiveMemory<Value> {
	const { isKnown, stale, most, monotonicNow, onFailure, sharing } = context;
	const entries = createEntries<Value, Known>(most);
	const { kindOf, begin } = createLimits(most, isKnown);
	const patience = createPatience<Kind>(context);
	const { isFresh, isWithin, usable, freshnessOf } = createAges<Value, Known>(context);
	const looks = sharing && createLooks<Value, Known>(sharing, entries, { ...context, isFresh });
	const isFreshNow = (pid: string) => isFresh(entries.get(pid));
	const waitForTurn = looks && createTurns<Value, Known>(sharing, looks, { ...context, isFresh: isFreshNow });

	const resource = createCachedResource({
		isFresh: isFreshNow,
		fetch: createLiveFetch<Value, Known>({
			...context,
			entries,
			losses: createLiveLosses(entries, context),
			onAnswer: (pid) => patience.restore(kindOf(pid)),
			begin: waitForTurn,
		}),
		onFailure(pid, error) {
			entries.setFailed(pid, monotonicNow());
			onFailure(pid, error);
		},
		failedAt: (pid) => entries.get(pid)?.failedAt,
		failureMemory: FAILURE_MEMORY,
		monotonicNow,
		begin,
	});

	return {
		async load(pid) {
			const isKept = isFresh(entries.get(pid, true));
			if (looks && !isKept && !resource.inFlight(pid)) await looks.adopt(pid);
			const entry = entries.get(pid);
			if (isFresh(entry)) return entry?.good?.value;
			const flight = resource.request(pid);
			const mayWait = entry?.isOutdated || !isWithin(entry, stale);
			if (flight && mayWait) await patience.waitFor(kindOf(pid), flight);
			return usable(entries.get(pid));
		},
		peek: (pid) => usable(entries.get(pid)),
		freshness: (pid) => freshnessOf(entries.get(pid)),
		has: entries.has,
		isAsked: (pid) => resource.inFlight(pid) !== undefined || looks?.isLooking(pid) === true,
		forget(pid) {
			entries.outdate(pid);
			resource.outdate(pid);
			looks?.forget(pid);
		},
		forgetAll() {
			entries.outdateAll();
			resource.outdateAll();
			looks?.forgetAll();
		},
		doubtAll() {
			entries.doubtAll();
			looks?.forgetAll();
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
