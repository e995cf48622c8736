import {
	addEvents,
	type Changes,
	MOST_EVENTS,
	readChanges,
	type SharedEvent,
	writeChanges,
} from './changes-text.js';
import type { OpenDriver } from './open-driver.js';
import { createOwnEvents, toListed } from './own-events.js';
import type { Changed } from './shared-storage.js';
import type { Stamp } from './shared-values.js';
import type { StorageContext } from './storage-context.js';
import type { StorageKeys } from './storage-keys.js';

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
