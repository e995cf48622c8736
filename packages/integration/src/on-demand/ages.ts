import type { Freshness } from '../runtime/source.js';
import type { Entry } from './live-entries.js';
import type { LiveMemoryContext } from './live-memory.js';

/** What the ages of remembered values mean. */
export interface Ages<Value, Known> {
	isFresh(entry: Entry<Value, Known> | undefined): boolean;
	/** The value, if it may be shown. */
	usable(entry: Entry<Value, Known> | undefined): Value | undefined;
	freshnessOf(entry: Entry<Value, Known> | undefined): Freshness;
	/** @param age milliseconds */
	isWithin(entry: Entry<Value, Known> | undefined, age: number): boolean;
}

export function createAges<Value, Known>({
	fresh,
	stale,
	maxStale,
	monotonicNow,
}: Pick<LiveMemoryContext<Value, Known>, 'fresh' | 'stale' | 'maxStale' | 'monotonicNow'>): Ages<
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
	const isUsable = (entry: Entry<Value, Known> | undefined) => ageOf(entry) <= Math.max(maxStale, stale);
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
