import { createCachedResource, type Flight } from '../cache/cached-resource.js';
import { createLosses, vanished } from '../failures/create-losses.js';
import { VANISHED_WITHIN } from '../failures/policy.js';
import type { Freshness } from '../runtime/page-source.js';
import { LOCK_TIME } from '../shared-storage/shared-storage.js';
import { createLooks, type Looks } from './create-looks.js';
import {
	createEntries,
	type Entries,
	type Entry,
	type Good,
	type LiveMemory,
	type LiveMemoryContext,
	type LiveSharing,
} from './live-memory.js';

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

/** How long pages wait for requests. */
interface Patience<Kind> {
	/** Waits for a request, until its time limit. */
	waitFor(kind: Kind, flight: Flight): Promise<void>;
	/** The service has answered a request of this kind. */
	restore(kind: Kind): void;
}

/** A page that shows many products, one after another, waits only once for a service that hangs. */
function createPatience<Kind>({
	timeLimit,
	monotonicNow,
	schedule,
}: Pick<LiveMemoryContext<unknown, unknown>, 'timeLimit' | 'monotonicNow' | 'schedule'>): Patience<Kind> {
	const slowUntil = new Map<Kind, number>();
	return {
		async waitFor(kind, { startedAt, done }) {
			const left = Math.min(timeLimit, startedAt + timeLimit - monotonicNow());
			if (left <= 0 || monotonicNow() < (slowUntil.get(kind) ?? Number.NEGATIVE_INFINITY)) return;
			const { promise, resolve } = Promise.withResolvers<void>();
			const cancel = schedule(() => {
				slowUntil.set(kind, monotonicNow() + timeLimit);
				resolve();
			}, left);
			void done.then(() => {
				cancel();
				resolve();
			});
			await promise;
		},
		restore: (kind) => void slowUntil.delete(kind),
	};
}

/** What the ages of remembered values mean. */
interface Ages<Value, Known> {
	isFresh(entry: Entry<Value, Known> | undefined): boolean;
	/** The value, if it may be shown. */
	usable(entry: Entry<Value, Known> | undefined): Value | undefined;
	freshnessOf(entry: Entry<Value, Known> | undefined): Freshness;
	/** @param age milliseconds */
	isWithin(entry: Entry<Value, Known> | undefined, age: number): boolean;
}

function createAges<Value, Known>({
	fresh,
	stale,
	staleIfError,
	monotonicNow,
}: Pick<LiveMemoryContext<Value, Known>, 'fresh' | 'stale' | 'staleIfError' | 'monotonicNow'>): Ages<
	Value,
	Known
> {
	const ageOf = (entry: Entry<Value, Known> | undefined) =>
		entry?.good ? monotonicNow() - entry.good.fetchedAt : Number.POSITIVE_INFINITY;
	const isWithin: Ages<Value, Known>['isWithin'] = (entry, age) => {
		const since = ageOf(entry);
		// If the clock can be set back after all, it must not keep a value fresh for years.
		return since >= 0 && since <= age;
	};
	const isFresh: Ages<Value, Known>['isFresh'] = (entry) =>
		!entry?.isOutdated && !entry?.isUnsure && isWithin(entry, fresh);
	const isUsable = (entry: Entry<Value, Known> | undefined) => ageOf(entry) <= Math.max(staleIfError, stale);
	return {
		isWithin,
		isFresh,
		usable: (entry) => (isUsable(entry) ? entry?.good?.value : undefined),
		freshnessOf: (entry) => ({
			state: isFresh(entry) ? 'fresh' : isUsable(entry) ? 'stale' : 'missing',
			changedAt: entry?.good?.changedAt,
		}),
	};
}

/** What fetching works with. */
interface LiveFetchContext<Value, Known>
	extends Pick<LiveMemoryContext<Value, Known>, 'ask' | 'isEmpty' | 'now' | 'monotonicNow'> {
	readonly entries: Entries<Value, Known>;
	readonly losses: LiveLosses<Value>;
	/** Called when the service has answered. */
	readonly onAnswer: (pid: string) => void;
	/** Waits while another instance requests the product. @default none does */
	readonly begin?: Turns<Value, Known> | undefined;
}

/** Returns a function that requests a product from the service, and remembers and shares the answer. */
function createLiveFetch<Value, Known>(
	context: LiveFetchContext<Value, Known>,
): (pid: string, flight: Flight) => Promise<void> {
	const { ask, isEmpty, now, monotonicNow, entries, losses, onAnswer, begin } = context;

	async function askFor(
		pid: string,
		flight: Flight,
		share?: (good: Good<Value, Known>) => void,
	): Promise<void> {
		const good = entries.get(pid)?.good;
		const sentAt = monotonicNow();
		const answer = await ask(pid, good?.known);
		const sent = answer === 'unchanged' ? good : answer;
		const fetchedAt = monotonicNow();
		onAnswer(pid);
		// One that was sent before a change may end after one that was sent since.
		if (!sent || (entries.get(pid)?.good?.fetchedAt ?? Number.NEGATIVE_INFINITY) > sentAt) return;
		const { value, known } = sent;
		const changedAt = good && isEqual(good.value, value) ? good.changedAt : now();
		const entry = { good: { value, known, fetchedAt, changedAt }, isOutdated: flight.isOutdated };
		await losses.check(pid, value, () => {
			entries.setGood(pid, entry, isEmpty(value));
			// Another instance may have shared a newer one since the event.
			if (!flight.isOutdated) share?.(entry.good);
		});
	}

	if (!begin) return askFor;
	return async (pid, flight) => {
		const turn = await begin(pid);
		try {
			if (turn) await askFor(pid, flight, turn.share);
		} finally {
			turn?.end();
		}
	};
}

function isEqual(one: unknown, other: unknown): boolean {
	return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Guards what a server remembers against a service that has lost its reviews. */
interface LiveLosses<Value> {
	/**
	 * Lets an answer take the place of what is remembered.
	 * @param replace stores the answer.
	 * @throws ReviewServiceError if the answer is empty, and those for many other products that had reviews are as well.
	 */
	check(pid: string, value: Value, replace: () => void): Promise<void>;
}

function createLiveLosses<Value, Known>(
	entries: Entries<Value, Known>,
	context: Pick<LiveMemoryContext<Value, Known>, 'isEmpty' | 'now' | 'monotonicNow' | 'onVanished'>,
): LiveLosses<Value> {
	const { isEmpty, now, monotonicNow, onVanished } = context;
	/** What was shown of products whose loss is believed, in case there turn out to be many. */
	const before = new Map<string, Good<Value, Known>>();
	const isShown = (pid: string) => entries.has(pid);

	const losses = createLosses<Entry<Value, Known>>({
		seen: entries.shown,
		entry: (pid) => (isShown(pid) ? entries.get(pid) : undefined),
		holdsReviews: () => true,
		isConfirmed: () => false,
		waits: false,
		onDoubt(pid) {
			const good = before.get(pid);
			before.delete(pid);
			if (!good || isShown(pid)) return;
			entries.setGood(pid, { good: { ...good, changedAt: now() }, failedAt: monotonicNow() }, false);
		},
		window: {
			length: VANISHED_WITHIN,
			monotonicNow,
			onEnd: (pid) => before.delete(pid),
			onMany: onVanished,
		},
	});
	return {
		async check(pid, value, replace) {
			const remembered = isShown(pid) ? entries.get(pid)?.good : undefined;
			if (!isEmpty(value)) losses.found(pid);
			else if (remembered) {
				before.set(pid, remembered);
				const isBelieved = await losses.isBelieved(pid);
				if (!isBelieved) before.delete(pid);
				// Even a loss that was believed may have been doubted since.
				if (!before.has(pid)) throw vanished();
			}
			replace();
		},
	};
}

/** The time in which this instance requests a product. */
interface Turn<Value, Known> {
	/** Stores the answer for the other instances. */
	share(good: Good<Value, Known>): void;
	/** Ends it, when the answer is stored. Never throws. */
	end(): void;
}

/** Waits while another instance requests a product. Returns `undefined` if that brought a fresh answer. */
type Turns<Value, Known> = (pid: string) => Promise<Turn<Value, Known> | undefined>;

/** How long to wait before looking again whether another instance has the answer, in milliseconds. */
const WAIT = 50;

function createTurns<Value, Known>(
	sharing: LiveSharing<Value>,
	looks: Pick<Looks, 'look' | 'last'>,
	{
		isFresh,
		isEmpty,
		monotonicNow,
		schedule,
	}: Pick<LiveMemoryContext<Value, Known>, 'isEmpty' | 'monotonicNow' | 'schedule'> & {
		readonly isFresh: (pid: string) => boolean;
	},
): Turns<Value, Known> {
	const pause = () => new Promise<void>((resolve) => void schedule(resolve, WAIT));

	/** An event that comes during the request makes its answer outdated, so the stamp is that of the beginning. */
	const turnOf = (pid: string, release: () => Promise<void>): Turn<Value, Known> => {
		const { stamp, isStored = false } = looks.last(pid) ?? {};
		let stored: Promise<unknown> | undefined;
		return {
			share(good) {
				stored = sharing.write(pid, good, stamp, isEmpty(good.value) && !isStored);
			},
			end: () => void Promise.resolve(stored).then(release),
		};
	};

	return async (pid) => {
		const until = monotonicNow() + LOCK_TIME;
		for (let isFirst = true; ; isFirst = false) {
			const lock = await sharing.lock(pid);
			const { at = Number.NEGATIVE_INFINITY } = looks.last(pid) ?? {};
			// Another instance may have ended since.
			if (!isFirst || monotonicNow() - at > WAIT) await looks.look(pid);
			if (isFresh(pid)) {
				if (lock !== 'taken') void lock();
				return undefined;
			}
			if (lock !== 'taken') return turnOf(pid, lock);
			if (monotonicNow() >= until) return turnOf(pid, async () => {});
			await pause();
		}
	};
}
