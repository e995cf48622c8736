import { unpack } from './pack.js';
import type { Kind, ReviewStore, Table } from './review-store.js';
import type { WaitingRow } from './row-writer.js';

/** Keeps values for as long as the process runs: what a build does where no file can be made. */
export function createMemoryStore(): ReviewStore {
	const rows = new Map<string, WaitingRow>();
	return {
		table<Value>(kind: Kind): Table<Value> {
			const key = (pid: string) => `${kind} ${pid}`;
			return {
				get(pid) {
					const row = rows.get(key(pid));
					return (
						row && {
							pid,
							value: unpack<Value>(row.packed),
							digest: row.packed.digest,
							fetchedAt: row.fetchedAt,
						}
					);
				},
				fetchedAt: (pid) => rows.get(key(pid))?.fetchedAt,
				digest: (pid) => rows.get(key(pid))?.packed.digest,
				put: (pid, packed, fetchedAt) => void rows.set(key(pid), { kind, pid, packed, fetchedAt }),
			};
		},
		flush: () => {},
		close: () => rows.clear(),
	};
}
