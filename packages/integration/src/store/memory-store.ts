import { unpack } from './pack.js';
import type { Kind, ReviewStore, StoredEntry, Table } from './review-store.js';
import type { WaitingRow } from './row-writer.js';

/** Keeps values while the process runs: the fallback of a build that cannot make a file. */
export function createMemoryStore(): ReviewStore {
	const rows = new Map<string, WaitingRow>();
	return {
		table<Value>(kind: Kind): Table<Value> {
			const key = (pid: string) => `${kind} ${pid}`;
			const entry = (pid: string) => {
				const row = rows.get(key(pid));
				return row && toEntry(row);
			};
			return {
				get(pid) {
					const row = rows.get(key(pid));
					return row && { pid, value: unpack<Value>(row.packed), ...toEntry(row) };
				},
				entry,
				entries: (pids) => entriesOf(pids, entry),
				isEmpty: () => ![...rows.values()].some((row) => row.kind === kind),
				put: (pid, packed, fetchedAt, validators) =>
					void rows.set(key(pid), { kind, pid, packed, fetchedAt, state: 'fetched', validators }),
				// A build without a file makes everything once.
				attachment: () => undefined,
				attach: () => {},
				change(pid, change) {
					const row = rows.get(key(pid));
					if (row) rows.set(key(pid), { ...row, ...change });
				},
			};
		},
		flush: () => {},
		prune: () => 0,
		close: () => rows.clear(),
	};
}

/** Entries of the products that have one. */
function entriesOf(
	pids: readonly string[],
	entry: (pid: string) => StoredEntry | undefined,
): ReadonlyMap<string, StoredEntry> {
	const entries = new Map<string, StoredEntry>();
	for (const pid of pids) {
		const found = entry(pid);
		if (found) entries.set(pid, found);
	}
	return entries;
}

/** What is known of a value that is not in a file yet. */
export function toEntry({ packed, fetchedAt, state, validators }: WaitingRow): StoredEntry {
	return { digest: packed.digest, fetchedAt, state, validators, summary: packed.summary };
}
