/** Says which products changed, as read from one event. The event's content is never published. */
export interface Change {
	/** Id of the event; `undefined` if the sender provides none. */
	readonly id: string | undefined;
	readonly pids: readonly string[];
	/** Anything may have changed, such as after an event that names no products. */
	readonly all: boolean;
	/** Arrival of the event, in milliseconds since 1970. */
	readonly receivedAt: number;
}

/** Changes that are waiting for a rebuild. */
export interface WaitingChanges {
	readonly pids: readonly string[];
	readonly all: boolean;
	/** Milliseconds since 1970. */
	readonly firstAt: number;
	readonly lastAt: number;
	/** Position in the log up to which this was read. */
	readonly upTo: Position;
}

type Position = string | number;

/** The right to rebuild, until it is released. */
export interface Hold {
	/** Aborted if another receiver may have taken over. */
	readonly lost?: AbortSignal;
	release(): Promise<void>;
}

/** Holds changes until they are rebuilt. A change that was reported as recorded survives the end of the process. */
export interface ChangeLog {
	/** @throws if the change could not be written. */
	record(change: Change): Promise<void>;
	waiting(): Promise<WaitingChanges | undefined>;
	/** Removes the changes up to {@link WaitingChanges.upTo}, and keeps those recorded later. */
	settle(upTo: Position): Promise<void>;
	/**
	 * Keeps other receivers that share this log from rebuilding at the same time. Omit it if the log is not shared.
	 * @returns `undefined` if another receiver is rebuilding.
	 */
	hold?(): Promise<Hold | undefined>;
	close(): Promise<void>;
}

export interface RecordedChange extends Pick<Change, 'pids' | 'all' | 'receivedAt'> {
	readonly position: Position;
}

/** @param changes in the order in which they were recorded. */
export function mergeChanges(changes: readonly RecordedChange[]): WaitingChanges | undefined {
	const last = changes.at(-1);
	if (!last) return undefined;
	const pids = new Set<string>();
	let firstAt = last.receivedAt;
	let lastAt = last.receivedAt;
	for (const change of changes) {
		for (const pid of change.pids) pids.add(pid);
		firstAt = Math.min(firstAt, change.receivedAt);
		lastAt = Math.max(lastAt, change.receivedAt);
	}
	return { pids: [...pids], all: changes.some(({ all }) => all), firstAt, lastAt, upTo: last.position };
}

/** Holds changes in memory, for platforms without a disk. Waiting changes are lost when the process is killed. */
export function createMemoryLog(): ChangeLog {
	let changes: (RecordedChange & { readonly position: number })[] = [];
	let position = 0;
	return {
		async record({ pids, all, receivedAt }) {
			changes.push({ pids, all, receivedAt, position: ++position });
		},
		waiting: async () => mergeChanges(changes),
		async settle(upTo) {
			changes = changes.filter((change) => change.position > Number(upTo));
		},
		async close() {},
	};
}
