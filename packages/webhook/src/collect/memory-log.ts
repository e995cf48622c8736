import type { Change } from '../changes/change.js';
import type { ChangeLog } from './change-log.js';

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
