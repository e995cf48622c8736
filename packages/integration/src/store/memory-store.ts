import type { Kind, PageTable, ReviewStore, StoredEntry, Table } from './review-store.js';
import type { WaitingRow } from './row-writer.js';
import { type Packed, unpack } from './values.js';

/** Keeps values while the process runs: the fallback of a build that cannot make a file. */
export function createMemoryStore(): ReviewStore {
	const rows = new Map<string, WaitingRow>();
	const pages = new Map<string, { readonly packed: Packed; readonly pids: readonly string[] }>();
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
				put(pid, { attachments: _unused, ...packed }, fetchedAt, validators) {
					rows.set(key(pid), { kind, pid, packed, fetchedAt, state: 'fetched', validators });
				},
				// A build without a file makes everything once.
				attachment: () => undefined,
				readAhead: () => [].values(),
				attach: () => {},
				change(pid, change) {
					const row = rows.get(key(pid));
					if (row) rows.set(key(pid), { ...row, ...change });
				},
			};
		},
		pages: <Value>(): PageTable<Value> => ({
			get(name) {
				const page = pages.get(name);
				return page && unpack<Value>(page.packed);
			},
			put: (name, packed, pids) => void pages.set(name, { packed, pids }),
			showing: (pids) =>
				[...pages].filter(([, page]) => page.pids.some((pid) => pids.includes(pid))).map(([name]) => name),
			products: () => [...new Set([...pages.values()].flatMap(({ pids }) => pids))],
			keepOnly(names) {
				for (const name of pages.keys()) if (!names.has(name)) pages.delete(name);
			},
		}),
		pids: (kind) => [...rows.values()].filter((row) => row.kind === kind).map(({ pid }) => pid),
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
