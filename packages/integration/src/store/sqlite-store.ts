import { openGuardedFile } from './guarded-file.js';
import { ALL_PRODUCTS } from './marks.js';
import { NO_VALUE } from './pack.js';
import type { Kind, ReviewStore, Table } from './review-store.js';
import type { WaitingRow } from './row-writer.js';
import { createSqlitePages } from './sqlite-pages.js';
import { createSqliteTable } from './sqlite-table.js';
import { createWriteBuffer } from './write-buffer.js';

/**
 * The store in one SQLite file.
 * @param file path; folders are made.
 * @param account whose reviews these are. Rows of other accounts are never read.
 * @param warn called once for each kind of trouble. The store goes on with whatever still works.
 * @param now milliseconds since 1970.
 * @throws Error if no file can be made at all.
 */
export function openSqliteStore(
	file: string,
	account: string,
	warn: (message: string) => void,
	now: () => number,
): ReviewStore {
	const guarded = openGuardedFile(file, account, warn);
	const buffer = createWriteBuffer(
		(waiting) => guarded.attempt('written', (open) => open.write(waiting, now())) !== undefined,
	);
	// What cannot be written is kept for this build.
	if (!guarded.mendMarks(now())) buffer.put(waitingMarkOfAll(now()));
	const filled = new Map<Kind, boolean>();
	// One of each kind: it remembers what was read last.
	const tables = new Map<Kind, Table<unknown>>();
	return {
		table<Value>(kind: Exclude<Kind, 'page'>) {
			const table = tables.get(kind) ?? createSqliteTable(kind, { guarded, buffer, filled, now });
			tables.set(kind, table);
			return table as Table<Value>;
		},
		pages: () => createSqlitePages(guarded, buffer, now),
		pids(kind) {
			buffer.flush();
			return guarded.attempt('read', (file) => file.findPids(kind)) ?? [];
		},
		flush: () => void buffer.flush(),
		prune(since) {
			if (!buffer.flush()) return 0;
			guarded.mend(now());
			return guarded.attempt('pruned', (open) => open.prune(since)) ?? 0;
		},
		close() {
			// Another build may have held the file before, and released it since.
			buffer.retry();
			// A log that could not be written to cannot be folded in either. On a locked file that would be the same wait again.
			if (buffer.flush()) guarded.attempt('tidied', (open) => open.tidy());
			guarded.close();
			buffer.clear();
		},
	};
}

function waitingMarkOfAll(now: number): WaitingRow {
	const key = { kind: 'mark', pid: ALL_PRODUCTS } as const;
	return { ...key, packed: NO_VALUE, fetchedAt: now, state: 'fetched', validators: undefined };
}
