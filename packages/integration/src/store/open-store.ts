import QuickLRU from 'quick-lru';
import { ProductReviewsError } from '../errors.js';
import { reasonOf } from '../text/words.js';
import type { PlacedAttachments } from './blocks.js';
import { type GuardedFile, openGuardedFile } from './guarded-file.js';
import { createMemoryStore, toEntry } from './memory-store.js';
import type { Kind, PageTable, ReviewStore, StoredEntry, Table } from './review-store.js';
import type { WaitingChange, WaitingRow } from './row-writer.js';
import { ALL_PRODUCTS, type EntryRow } from './rows.js';
import { MOST_ATTACHED, NO_VALUE, unpack, type ValueAttachments } from './values.js';
import { createWriteBuffer, type WriteBuffer } from './write-buffer.js';

/** Opens the store in its file. If that fails, it warns, and keeps reviews in memory for this build. */
export function openStore(
	file: string,
	account: string,
	warn: (message: string) => void,
	now: () => number = Date.now,
): ReviewStore {
	try {
		return openSqliteStore(file, account, warn, now);
	} catch (error) {
		warn(
			`The store cannot be opened: ${reasonOf(error)}. Reviews are kept in memory for this build only; ` +
				'the next one asks the service for all of them. Check that the folder of the option "cacheDir" can be written. [PR_CACHE_UNUSABLE]',
		);
		return createMemoryStore();
	}
}

/**
 * The store in one SQLite file.
 * @param file path; folders are made.
 * @param account whose reviews these are. Rows of other accounts are never read.
 * @param warn called once for each kind of trouble. The store goes on with whatever still works.
 * @param now milliseconds since 1970.
 * @throws Error if no file can be made at all.
 */
function openSqliteStore(
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

/** What is known of each page: in the file, and waiting to be written. @param now milliseconds since 1970 */
function createSqlitePages<Value>(
	guarded: GuardedFile,
	buffer: WriteBuffer,
	now: () => number,
): PageTable<Value> {
	return {
		get(name) {
			const waiting = buffer.rowOf('page', name);
			if (waiting) return unpack<Value>(waiting.packed);
			return guarded.attempt('read', (file) => {
				const row = file.find<Value>('page', name);
				// Pages of Astro's cache are not put again, but they are still there.
				if (row && now() - row.used_at > USE_PRECISION) buffer.change({ kind: 'page', pid: name });
				return row?.value;
			});
		},
		put(name, packed, pids) {
			if (!guarded.isOpen) return;
			buffer.put({
				kind: 'page',
				pid: name,
				packed,
				fetchedAt: now(),
				state: 'fetched',
				validators: undefined,
				shows: pids,
			});
		},
		showing(pids) {
			buffer.flush();
			return found(guarded.attempt('read', (file) => file.findPages(pids)));
		},
		products() {
			buffer.flush();
			return found(guarded.attempt('read', (file) => file.findShown()));
		},
		keepOnly(names) {
			buffer.flush();
			guarded.attempt('written', (file) => {
				const others = file.findPids('page').filter((name) => !names.has(name));
				if (others.length > 0) file.deletePages(others);
			});
		},
	};
}

function found<Found>(read: Found | undefined): Found {
	if (read !== undefined) return read;
	throw new ProductReviewsError(
		'PR_CACHE_UNUSABLE',
		'The store cannot say which pages show which products.',
		'Build again.',
	);
}

/** How precisely the file knows when a value was last used, in milliseconds: a day. A build without news writes little. */
const USE_PRECISION = 86_400_000;

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
function createSqliteTable<Value>(kind: Kind, { guarded, buffer, filled, now }: TableContext): Table<Value> {
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

/** What was made of the values of one kind: in the file, and waiting to be written. */
interface TableAttachments {
	readonly get: Table<unknown>['attachment'];
	readonly add: Table<unknown>['attach'];
	readonly readAhead: Table<unknown>['readAhead'];
	/** Forgets what was read: the value has changed. */
	forget(pid: string): void;
}

/** Values whose attachments are kept in memory: those of the page, and those read ahead. They take a few megabytes. */
const RECENT = 64;

function createTableAttachments(kind: Kind, guarded: GuardedFile, buffer: WriteBuffer): TableAttachments {
	const recent = new QuickLRU<string, { readonly attachments: ValueAttachments | undefined }>({
		maxSize: RECENT,
	});

	/** What is about to be read ahead. */
	const placed = new Map<string, PlacedAttachments>();
	// What waits to be written has not been made of the value in the file.
	const isUnread = (pid: string) => !recent.has(pid) && !buffer.rowOf(kind, pid);
	const find = (pids: readonly string[]) =>
		guarded.attempt('read', (file) => file.findAttachments(kind, pids)) ?? [];
	const read = (one: PlacedAttachments) => guarded.attempt('read', (file) => file.readAttachments(kind, one));
	const forget = (pid: string) => {
		placed.delete(pid);
		recent.delete(pid);
	};
	return {
		get(pid, set, key) {
			const attached = buffer.attachments.get(kind, pid, set, key);
			if (attached) return attached;
			if (isUnread(pid)) {
				const [found] = find([pid]);
				recent.set(pid, { attachments: found && read(found) });
			}
			const attachments = recent.get(pid)?.attachments;
			return attachments?.set === set ? attachments.items[key] : undefined;
		},
		add(pid, digest, set, key, attachment) {
			forget(pid);
			if (attachment.text.length > MOST_ATTACHED || !guarded.isOpen) return;
			buffer.attach(kind, pid, digest, set, key, attachment);
		},
		*readAhead(pids) {
			const unread = pids.filter(isUnread);
			if (unread.length > 0) for (const one of find(unread)) placed.set(one.pid, one);
			for (const [pid, one] of placed) {
				yield;
				// The value may have changed since, or a page has asked for it.
				if (!placed.delete(pid) || recent.has(pid)) continue;
				const attachments = read(one);
				if (attachments) recent.set(pid, { attachments });
			}
		},
		forget,
	};
}
