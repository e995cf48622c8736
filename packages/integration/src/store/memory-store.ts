import { unpack } from './pack.js';
import type { Entry, Kind, ReviewStore, Table } from './review-store.js';
import type { WaitingRow } from './row-writer.js';

/** Keeps values for as long as the process runs: what a build does where no file can be made. */
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

/** The entries of those that have one. */
function entriesOf(
	pids: readonly string[],
	entry: (pid: string) => Entry | undefined,
): ReadonlyMap<string, Entry> {
	const entries = new Map<string, Entry>();
	for (const pid of pids) {
		const found = entry(pid);
		if (found) entries.set(pid, found);
	}
	return entries;
}

/** What is known of a value that is not in a file yet. */
export function toEntry({ packed, fetchedAt, state, validators }: WaitingRow): Entry {
	return { digest: packed.digest, fetchedAt, state, validators, summary: packed.summary };
}
