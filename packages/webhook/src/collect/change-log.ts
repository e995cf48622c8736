import type { Change } from '../changes/change.js';

/** Changes that are waiting for a rebuild. */
export interface WaitingChanges {
	readonly pids: readonly string[];
	/** Anything may have changed. */
	readonly all: boolean;
	/** When the first and the last of them arrived, in milliseconds since 1970. */
	readonly firstAt: number;
	readonly lastAt: number;
	/** Position in the log up to which this was read. Pass it to {@link ChangeLog.settle}. */
	readonly upTo: number;
}

/** How many changes are waiting for a rebuild. */
export interface WaitingCount {
	readonly products: number;
	/** Anything may have changed. */
	readonly all: boolean;
}

/** The right to rebuild, until it is released. */
export interface Hold {
	/** Reports a process started for the rebuild. If this process is killed, the next one to rebuild ends it first. */
	started(pid: number): void;
	release(): void;
}

/**
 * Holds changes until they are rebuilt. Several changes of one product count as one. A change that was reported as
 * written survives a crash of the process.
 */
export interface ChangeLog {
	/**
	 * Records a change.
	 * @returns whether it is new; `false` if an event with the same id was recorded before.
	 * @throws if it could not be written.
	 */
	record(change: Change): Promise<boolean>;
	/** `undefined` if nothing is waiting. */
	waiting(): Promise<WaitingChanges | undefined>;
	/** Counts what is waiting without reading the product ids: it is called often, and there may be many. */
	count(): Promise<WaitingCount>;
	/**
	 * Removes the changes that were rebuilt, and keeps those that arrived in the meantime.
	 * @param upTo {@link WaitingChanges.upTo} of the changes that were rebuilt.
	 * @param startedAt when their rebuild started, in milliseconds since 1970.
	 */
	settle(upTo: number, startedAt: number): Promise<void>;
	/**
	 * What was found damaged since this was last called, as a log line; `undefined` if nothing was. If a change may have been
	 * lost, {@link ChangeLog.waiting} says that anything may have changed.
	 */
	damage?(): string | undefined;
	/**
	 * Keeps other receivers that share this log from rebuilding at the same time. Omit it if the log is not shared.
	 * @returns `undefined` if another receiver is rebuilding.
	 */
	hold?(log: (line: string) => void): Promise<Hold | undefined>;
	close(): Promise<void>;
}

/** A product in the log; the empty id means all products. */
interface Row {
	readonly firstAt: number;
	readonly lastAt: number;
	readonly sequence: number;
}

/** Holds changes in memory, for platforms without a disk. Waiting changes are lost when the process is killed. */
export function createMemoryLog(): ChangeLog {
	const rows = new Map<string, Row>();
	let sequence = 0;
	const mark = (pid: string, { receivedAt }: Change) => {
		const { firstAt = receivedAt, lastAt = receivedAt } = rows.get(pid) ?? {};
		rows.set(pid, { firstAt, lastAt: Math.max(lastAt, receivedAt), sequence: ++sequence });
	};
	return {
		async record(change) {
			for (const pid of change.all ? [''] : change.pids) mark(pid, change);
			return true;
		},
		async count() {
			const all = rows.has('');
			return { products: rows.size - Number(all), all };
		},
		async waiting() {
			if (rows.size === 0) return undefined;
			let firstAt = Infinity;
			let lastAt = 0;
			for (const row of rows.values()) {
				firstAt = Math.min(firstAt, row.firstAt);
				lastAt = Math.max(lastAt, row.lastAt);
			}
			return {
				pids: [...rows.keys()].filter((pid) => pid !== ''),
				all: rows.has(''),
				firstAt,
				lastAt,
				upTo: sequence,
			};
		},
		async settle(upTo, startedAt) {
			for (const [pid, row] of rows) {
				if (row.sequence <= upTo) rows.delete(pid);
				else rows.set(pid, { ...row, firstAt: Math.max(row.firstAt, startedAt) });
			}
		},
		async close() {},
	};
}
