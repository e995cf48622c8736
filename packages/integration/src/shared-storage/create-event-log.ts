import { fieldsOf } from '../parse/field-reader.js';
import type { OpenDriver } from './open-driver.js';
import {
	type Changed,
	type Stamp,
	type StorageContext,
	type StorageKeys,
	seal,
	unseal,
} from './shared-storage.js';
import { checkId } from './stored-answer.js';

/** Events that instances tell each other. */
export interface EventLog {
	/** Notes an event of this instance. From now on, what it reads of these products is outdated. */
	add(pids: readonly string[] | undefined): void;
	/** Whether the storage lacks some of them. */
	isWaiting(): boolean;
	/** Writes events of this instance, up to 200. Throws what the driver throws. */
	share(driver: OpenDriver): Promise<true>;
	/**
	 * Reads the latest events.
	 * @returns what changed since the last reading, except by this instance.
	 */
	see(text: string | undefined): Changed;
	/** Returns stamps of products, from what was read along with them. */
	stamps(text: string | undefined): (pid: string, mark: string | undefined) => Stamp;
}

/** How often to look whether another instance has overwritten the events just written, and how long to wait before, in milliseconds. */
const TRIES = 4;
const SETTLING_TIME = 40;
/** Most events to write at once: some drivers make a request for each of them. */
const MOST_AT_ONCE = 200;

export function createEventLog(
	{ account, monotonicNow, schedule }: Pick<StorageContext, 'account' | 'monotonicNow' | 'schedule'>,
	keys: Pick<StorageKeys, 'mark' | 'changes'>,
): EventLog {
	const own = createOwnEvents(monotonicNow);
	let seen: Changes | undefined;
	let isOneMissing = false;
	const pause = (milliseconds: number) =>
		new Promise<void>((resolve) => void schedule(resolve, milliseconds));
	const readLatest = async (driver: OpenDriver) =>
		readChanges(account, (await driver.get([keys.changes])).get(keys.changes));

	/** Drivers cannot add to a value in one step, so two instances may overwrite each other's events. */
	async function addToLatest(driver: OpenDriver, added: readonly SharedEvent[]): Promise<void> {
		for (let tries = 0; tries < TRIES; tries++) {
			const latest = await readLatest(driver);
			const events = [...own.recent(), ...added];
			if (isListed(events, latest)) return;
			await driver.set([{ key: keys.changes, value: writeChanges(account, addEvents(latest, events)) }]);
			await pause(SETTLING_TIME * (1 + Math.random()));
		}
	}

	return {
		add: own.add,
		isWaiting: () => isOneMissing || own.waiting().length > 0,
		async share(driver) {
			const events = own.waiting().slice(0, MOST_AT_ONCE);
			// First the marks: an instance that sees the event must find them.
			const marks = events.flatMap(({ id, pid }) =>
				pid === undefined ? [] : [{ key: keys.mark(pid), value: `m-${id}` }],
			);
			if (marks.length > 0) await driver.set(marks);
			const listed = toListed(events);
			await addToLatest(driver, listed);
			own.stored(events, listed);
			isOneMissing = false;
			return true;
		},
		see(text) {
			const latest = readChanges(account, text);
			const before = seen;
			seen = latest;
			if (before) own.restore(forgotten(latest, before));
			const recent = own.recent();
			isOneMissing = !isListed(recent, latest);
			return before === undefined ? [] : newIn(latest, before, new Set(recent.map(({ id }) => id)));
		},
		stamps(text) {
			const { all } = readChanges(account, text);
			return (pid, mark) => own.extend(pid, { all, product: /^m-([\w-]{1,64})$/.exec(mark ?? '')?.[1] });
		},
	};
}

function isListed(events: readonly { readonly id: string }[], { events: listed }: Changes): boolean {
	return events.every(({ id }) => listed.some((event) => event.id === id));
}

/** Events that are missing since the last reading, although earlier ones are there, as after a backup was restored. */
function forgotten(latest: Changes, before: Changes): readonly SharedEvent[] {
	const known = new Set(latest.events.map(({ id }) => id));
	const last = before.events.findLastIndex(({ id }) => known.has(id));
	// Without any earlier one, the answers are lost as well, or there were more events than the list holds.
	if (last === -1) return [];
	const seen = new Set(before.events.map(({ id }) => id));
	const since = new Set(latest.events.filter(({ id }) => !seen.has(id)).map(({ pid }) => pid));
	return before.events
		.slice(last + 1)
		.filter(({ pid }) => pid === undefined || !since.has(pid))
		.map((event) => ({ ...event, isOfAll: event.id === before.all }));
}

/** What changed between two readings, except by this instance. */
function newIn(latest: Changes, before: Changes, own: ReadonlySet<string>): Changed {
	const known = new Set(before.events.map(({ id }) => id));
	const added = latest.events.filter(({ id }) => !known.has(id));
	if (latest.all !== undefined && latest.all !== before.all && !own.has(latest.all)) return 'all';
	// Otherwise there may have been more than the list holds, or the list was lost.
	const isComplete = known.size > 0 ? added.length < latest.events.length : added.length < MOST_EVENTS;
	const others = added.filter(({ id }) => !own.has(id));
	if (!isComplete || others.some(({ pid }) => pid === undefined)) return 'unsure';
	return others.map(({ pid }) => pid as string);
}

/** The events that this instance tells others, until all others can have seen them. */
interface OwnEvents {
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

function createOwnEvents(monotonicNow: () => number): OwnEvents {
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
function toListed(events: readonly SharedEvent[]): readonly SharedEvent[] {
	if (events.length <= MOST_LISTED) return events;
	return [{ id: createId(), pid: undefined, isOfAll: events.some(({ isOfAll }) => isOfAll) }];
}

function createId(): string {
	return crypto.randomUUID().slice(0, 13);
}

/** An event: reviews of a product changed. */
interface SharedEvent {
	readonly id: string;
	/** `undefined` if it may be any product. */
	readonly pid: string | undefined;
	/** Whether the reviews of all products may have changed, and not only those of some that are too many to list. */
	readonly isOfAll?: boolean;
}

/** The latest events, oldest first. */
interface Changes {
	/** Id of the last event of all products. */
	readonly all: string | undefined;
	readonly events: readonly SharedEvent[];
}

/** Most events to keep. An instance that missed more looks up every product that it remembers. */
const MOST_EVENTS = 256;

const NO_CHANGES: Changes = { all: undefined, events: [] };

function writeChanges(account: string, { all, events }: Changes): string {
	return seal({ account, all, events: events.map(({ id, pid }) => [id, pid]) }) ?? '';
}

/** Reads what {@link writeChanges} wrote; anything else contains no events. */
function readChanges(account: string, text: unknown): Changes {
	const fields = fieldsOf(unseal(text));
	const { all, events } = fields;
	if (fields['account'] !== account || !Array.isArray(events)) return NO_CHANGES;
	return {
		all: checkId(all),
		events: events.slice(-MOST_EVENTS).flatMap((event) => {
			const [given, pid] = Array.isArray(event) ? event : [];
			const id = checkId(given);
			const isPid = pid === null || pid === undefined || typeof pid === 'string';
			return id !== undefined && isPid ? [{ id, pid: pid ?? undefined }] : [];
		}),
	};
}

/** Adds events that are not there yet, and drops the oldest. */
function addEvents({ all, events }: Changes, own: readonly SharedEvent[]): Changes {
	const added = own.filter(({ id }) => !events.some((event) => event.id === id));
	return {
		all: added.findLast(({ isOfAll }) => isOfAll)?.id ?? all,
		events: [...events, ...added].slice(-MOST_EVENTS),
	};
}
