import QuickLRU from 'quick-lru';
import { ReviewServiceError } from '../errors.js';
import type { Losses } from '../failures/create-losses.js';
import { describeFailure } from '../failures/describe-failure.js';
import type { Outcomes } from '../outcomes/create-outcomes.js';
import type { Failure, Tally } from '../outcomes/tally.js';
import type { Fetched } from '../service/review-service.js';
import type { Table } from '../store/review-store.js';
import { type CachedResource, createCachedResource, type Flight } from './cached-resource.js';
import type { ResourceRules } from './resource-rules.js';

/** What one resource of a build or dev server is made of. */
export interface StoredResourceContext<Stored, Value> {
	readonly table: Table<Stored>;
	/** Makes the value that pages get from what is stored. */
	readonly restore: (stored: Stored) => Value;
	/** Asks the service for a product and checks the answer. */
	readonly fetch: (pid: string, validators: string | undefined) => Promise<Fetched>;
	/** Moves a product that waits for its request to the front: a page waits for it. */
	readonly prioritize: (pid: string) => void;
	readonly rules: ResourceRules;
	/** What became of each product. A build uses what it has once looked at to its end. */
	readonly outcomes: Pick<Outcomes, 'settle' | 'isSettled'>;
	readonly tally: Pick<Tally, 'fetched' | 'dropped' | 'failures'>;
	/** Decides whether products that had reviews have none any more. @default all of it is believed */
	readonly losses?: Losses;
	/** Resolves when it is known which stored products are outdated; `undefined` if nobody checks. */
	readonly checked?: Promise<unknown> | undefined;
}

/** The values of one resource, from the store or, if they are not fresh there, from the service. */
export interface StoredResource<Value> {
	/** Waits until the store has what pages show. @returns whether there is something to show. */
	settle(pid: string): Promise<boolean>;
	/** `undefined` if the service failed and the store has nothing that may be used. */
	load(pid: string): Promise<Value | undefined>;
	/** The digest of what {@link StoredResource.load} gives. */
	digest(pid: string): Promise<string | undefined>;
	/** Makes sure that a product is fresh in the store, without reading it, or waiting for whether a loss is believed. */
	refresh(pid: string): Promise<void>;
}

/** Values that stay at hand after they were read: some megabytes. */
const RECENT = 100;

export function createStoredResource<Stored, Value>(
	context: StoredResourceContext<Stored, Value>,
): StoredResource<Value> {
	const { table, restore, rules, outcomes, tally, losses, checked } = context;
	// A page asks for the same product several times, and a list for some that were on a page just now.
	const recent = new QuickLRU<string, { readonly digest: string; readonly value: Value }>({
		maxSize: RECENT,
	});
	const failed = new Map<string, { readonly at: number; readonly failure: Failure }>();
	const unreadable = new Set<string>();
	const isSettled = (pid: string) => rules.isBuild && outcomes.isSettled(pid);

	async function fetchProduct(pid: string, flight: Flight) {
		// With validators the service may say again that what cannot be read is current.
		const validators = unreadable.delete(pid) ? '' : table.entry(pid)?.validators;
		const { packed, isEmpty, dropped, validators: given } = await context.fetch(pid, validators);
		const before = isEmpty && losses ? table.entry(pid) : undefined;
		if (before && losses?.isLoss(pid, before)) {
			flight.arrive();
			if (!(await losses.isBelieved(pid))) throw vanished();
		}
		recent.delete(pid);
		if (packed) table.put(pid, packed, rules.now(), given);
		else table.change(pid, { fetchedAt: rules.now(), state: 'fetched' });
		if (rules.isBuild && Object.keys(dropped).length > 0) tally.dropped.push({ pid, parts: dropped });
		tally.fetched += 1;
		failed.delete(pid);
		outcomes.settle(pid, isEmpty ? 'missing' : packed ? 'fetched' : 'unchanged');
	}

	function onFailure(pid: string, error: unknown): void {
		const { shows, status } = rules.consequence(table.entry(pid), pid, error);
		const stale = shows === 'the stored reviews' && table.get(pid) !== undefined;
		const failure = { pid, reason: describeFailure(error), stale, error };
		failed.set(pid, { at: rules.monotonicNow(), failure });
		// A dev server goes on for days, and reports nothing at an end.
		if (rules.isBuild) tally.failures.push(failure);
		if (stale) table.change(pid, { state: 'stale' });
		outcomes.settle(pid, stale || status !== 'stale' ? status : 'failed', failure.reason);
		rules.onFailure(failure);
		if (shows === 'an error') throw rules.ending(failure);
	}

	const isFresh = (pid: string) => isSettled(pid) || rules.isFresh(pid, table.entry(pid));
	const resource: CachedResource = createCachedResource({
		isFresh,
		fetch: fetchProduct,
		onFailure,
		failedAt: (pid) => failed.get(pid)?.at,
		failureMemory: rules.failureMemory,
		monotonicNow: rules.monotonicNow,
	});

	const read = (pid: string): Value | undefined => {
		const known = recent.get(pid);
		if (known && (rules.isBuild || known.digest === table.entry(pid)?.digest)) return known.value;
		const stored = table.get(pid);
		if (!stored) return undefined;
		const value = restore(stored.value);
		recent.set(pid, { digest: stored.digest, value });
		return value;
	};
	/** Whether a product that failed is shown as it is stored. */
	const isShownStale = (pid: string) =>
		rules.consequence(table.entry(pid), pid, failed.get(pid)?.failure.error).shows === 'the stored reviews';

	async function settle(pid: string): Promise<boolean> {
		// What is not stored has to be requested whatever the checks say.
		if (checked && !isSettled(pid) && table.entry(pid)) await checked;
		const flight = resource.inFlight(pid) ?? resource.request(pid);
		if (flight) {
			context.prioritize(pid);
			await flight.done;
		} else if (!resource.hasFailed(pid)) outcomes.settle(pid, 'unchanged');
		if (!resource.hasFailed(pid)) return true;
		const { failure } = failed.get(pid) ?? {};
		if (failure && rules.endsOnFailure) throw rules.ending(failure);
		return isShownStale(pid);
	}

	return {
		settle,
		async load(pid) {
			if (!(await settle(pid))) return undefined;
			const value = read(pid);
			if (value !== undefined || resource.hasFailed(pid)) return value;
			// What is current, or said to be, cannot be read: it has to be sent again.
			unreadable.add(pid);
			await resource.requestAnew(pid)?.done;
			return resource.hasFailed(pid) ? undefined : read(pid);
		},
		digest: async (pid) => ((await settle(pid)) ? table.entry(pid)?.digest : undefined),
		async refresh(pid) {
			if (resource.hasFailed(pid)) return;
			const flight = resource.request(pid);
			if (flight) await flight.arrived;
			else outcomes.settle(pid, 'unchanged');
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
