import type { GuardedFile } from './guarded-file.js';
import { toEntry } from './memory-store.js';
import { unpack } from './pack.js';
import type { Kind, StoredEntry, Table } from './review-store.js';
import type { WaitingChange } from './row-writer.js';
import type { EntryRow } from './rows.js';
import { createTableAttachments } from './table-attachments.js';
import type { WriteBuffer } from './write-buffer.js';

/** How precisely the file knows when a value was last used, in milliseconds: a day. A build without news writes little. */
export const USE_PRECISION = 86_400_000;

/** What the tables of one store share. */
interface TableContext {
	readonly guarded: GuardedFile;
	readonly buffer: WriteBuffer;
	/** Whether there are values, by kind. Kinds that were not looked up yet are not in it. */
	readonly filled: Map<Kind, boolean>;
	/** Milliseconds since 1970. */
	readonly now: () => number;
}

/** The values of one kind: those in the file, and those that wait to be written. */
export function createSqliteTable<Value>(
	kind: Kind,
	{ guarded, buffer, filled, now }: TableContext,
): Table<Value> {
	const use = (pid: string, row: EntryRow): StoredEntry => {
		const isNews = now() - row.used_at > USE_PRECISION && !buffer.changeOf(kind, pid);
		if (isNews && guarded.isOpen) buffer.change({ kind, pid });
		return rowToEntry(row, buffer.changeOf(kind, pid));
	};
	const attachments = createTableAttachments(kind, guarded, buffer);
	return {
		get(pid) {
			const waiting = buffer.rowOf(kind, pid);
			if (waiting) return { pid, value: unpack<Value>(waiting.packed), ...toEntry(waiting) };
			return guarded.attempt('read', (file) => {
				const row = file.find<Value>(kind, pid);
				return row && { pid, value: row.value, ...use(pid, row) };
			});
		},
		entry(pid) {
			const waiting = buffer.rowOf(kind, pid);
			if (waiting) return toEntry(waiting);
			return guarded.attempt('read', (file) => {
				const row = file.findEntry(kind, pid);
				return row && use(pid, row);
			});
		},
		entries(pids) {
			const entries = new Map<string, StoredEntry>();
			const inFile: string[] = [];
			for (const pid of pids) {
				const waiting = buffer.rowOf(kind, pid);
				if (waiting) entries.set(pid, toEntry(waiting));
				else inFile.push(pid);
			}
			const rows = guarded.attempt('read', (file) => file.findEntries(kind, inFile)) ?? [];
			for (const row of rows) entries.set(row.pid, use(row.pid, row));
			return entries;
		},
		isEmpty() {
			const isFilled = filled.get(kind) ?? guarded.attempt('read', (file) => file.hasAny(kind)) ?? false;
			filled.set(kind, isFilled);
			return !isFilled;
		},
		attachment: attachments.get,
		readAhead: attachments.readAhead,
		attach: attachments.add,
		put(pid, packed, fetchedAt, validators) {
			if (!guarded.isOpen) return;
			attachments.forget(pid);
			filled.set(kind, true);
			buffer.put({ kind, pid, packed, fetchedAt, state: 'fetched', validators });
		},
		change(pid, changed) {
			if (guarded.isOpen) buffer.change({ ...changed, kind, pid });
		},
	};
}

/** What is known of a value in the file, with a change that is not in the file yet. */
function rowToEntry(row: EntryRow, change: WaitingChange | undefined): StoredEntry {
	const { fetchedAt = row.fetched_at, state = row.state } = change ?? {};
	const { digest, validators, summary } = row;
	return { digest, fetchedAt, state, validators: validators ?? undefined, summary: summary ?? undefined };
}
