import type { SharedEvent } from './changes-text.js';
import type { Stamp } from './shared-values.js';

/** The events that this instance tells others, until all others can have seen them. */
export interface OwnEvents {
	/** @param pids `undefined` for all products. */
	add(pids: readonly string[] | undefined): void;
	/** Events of others that the storage has forgotten. They are stored again, as they were. */
	restore(events: readonly SharedEvent[]): void;
	/** Those that are not known to be in the storage. */
	waiting(): readonly SharedEvent[];
	/** Listed events that the list may have lost since, as two instances may write at the same time. */
	recent(): readonly SharedEvent[];
	/** @param listed what the list says of these events. */
	stored(events: readonly SharedEvent[], listed: readonly SharedEvent[]): void;
	/** A stamp of the storage, with the events that are still waiting. */
	extend(pid: string, stamp: Stamp): Stamp;
}

/** How long an event may be missing from the list without being added again, in milliseconds. */
const RECENT = 60_000;
/** Most recent events to remember, fewer than the list holds. */
const MOST_RECENT = 128;
/** Most events that wait to be stored. More of them are one event of all products. */
const MOST_WAITING = 10_000;
/** Most events to list at once. More of them are listed as one of any product. */
const MOST_LISTED = 64;

export function createOwnEvents(monotonicNow: () => number): OwnEvents {
	const waiting = new Map<string | undefined, SharedEvent>();
	let recent: readonly (SharedEvent & { readonly at: number })[] = [];

	const add = (pid: string | undefined) =>
		waiting.set(pid, { id: createId(), pid, isOfAll: pid === undefined });
	return {
		add(pids) {
			if (pids) for (const pid of pids) add(pid);
			else add(undefined);
			if (waiting.size <= MOST_WAITING) return;
			waiting.clear();
			add(undefined);
		},
		restore(events) {
			for (const event of events) if (!waiting.has(event.pid)) waiting.set(event.pid, event);
		},
		waiting: () => [...waiting.values()],
		recent() {
			recent = recent.filter(({ at }) => monotonicNow() - at < RECENT);
			return recent;
		},
		stored(events, listed) {
			for (const { id, pid } of events) if (waiting.get(pid)?.id === id) waiting.delete(pid);
			const at = monotonicNow();
			recent = [...recent, ...listed.map((event) => ({ ...event, at }))].slice(-MOST_RECENT);
		},
		extend: (pid, { product, all }) => ({
			product: waiting.get(pid)?.id ?? product,
			all: waiting.get(undefined)?.id ?? all,
		}),
	};
}

/** What the list says of events. */
export function toListed(events: readonly SharedEvent[]): readonly SharedEvent[] {
	if (events.length <= MOST_LISTED) return events;
	return [{ id: createId(), pid: undefined, isOfAll: events.some(({ isOfAll }) => isOfAll) }];
}

function createId(): string {
	return crypto.randomUUID().slice(0, 13);
}
