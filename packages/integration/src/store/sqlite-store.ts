import { basename } from 'node:path';
import { createWaitingAttachments } from './attached.js';
import { type Attachments, MOST_ATTACHED } from './attachments.js';
import { toEntry } from './memory-store.js';
import { isUnusable } from './open-database.js';
import { openStoreFile, type StoreFile } from './open-store-file.js';
import { unpack, unpackAttachments } from './pack.js';
import type { Entry, Kind, ReviewStore, Table } from './review-store.js';
import type { EntryRow } from './row-reader.js';
import type { WaitingChange, WaitingRow } from './row-writer.js';
import { setAside } from './set-aside.js';

/** Rows that one transaction writes: a hundred cost little more than one. */
const BATCH_SIZE = 100;
/** Small changes that one transaction writes. */
const CHANGES = 2_000;
/** How exactly the file knows when something was used last, in milliseconds: a day. A build without news writes little. */
const USE_IS_KNOWN_TO = 86_400_000;

/**
 * The store in one SQLite file. Damage that shows only while it is read or written has the file set aside, too, unless it
 * is that of single rows: these are as if they were not there, and said when the store is closed.
 * @param file where it lies; folders are made.
 * @param account whose reviews these are: rows of another account are never read.
 * @param warn told once of each kind of trouble; the store goes on without what it cannot do.
 * @param now milliseconds since 1970.
 * @throws Error where no file can be made at all.
 */
export function openSqliteStore(
	file: string,
	account: string,
	warn: (message: string) => void,
	now: () => number,
): ReviewStore {
	const warnSetAside = (reason: string) =>
		warn(
			`The store cannot be used (${reason}). It is now "${basename(file)}.set-aside"; a new one is built.`,
		);
	const damaged = new Set<string>();
	const events = {
		onSetAside: warnSetAside,
		onDamaged: (kind: Kind, pid: string) => void damaged.add(`${kind} ${pid}`),
	};
	let open: StoreFile | undefined = openStoreFile(file, account, events);
	let isRenewed = false;
	// Values that are not yet in the file; those that could not be written stay, so that the build has them.
	const waiting = new Map<string, WaitingRow>();
	const changes = new Map<string, WaitingChange>();
	const attached = createWaitingAttachments();
	/** What was read last: a page asks for several attachments of one value. */
	let opened: { readonly key: string; readonly attachments: Attachments | undefined } | undefined;
	/** Whether there are values, by kind; what was not asked yet is not in it. */
	const filled = new Map<Kind, boolean>();
	let canWrite = true;
	const warned = new Set<string>();

	function renew({ message }: Error): StoreFile {
		isRenewed = true;
		open?.close();
		setAside(file, open?.identity);
		warnSetAside(message);
		open = openStoreFile(file, account, events);
		return open;
	}
	/** What comes after the store was closed gets nothing. */
	function attempt<Result>(what: string, action: (file: StoreFile) => Result): Result | undefined {
		if (!open) return undefined;
		try {
			try {
				return action(open);
			} catch (error) {
				if (isRenewed || !isUnusable(error)) throw error;
				return action(renew(error));
			}
		} catch (error) {
			if (!warned.has(what))
				warn(`The store could not be ${what}: ${(error as Error).message}. The build goes on.`);
			warned.add(what);
			return undefined;
		}
	}
	/** Puts values with what was made of them among those that wait. */
	const attachWaiting = () => {
		opened = undefined;
		for (const key of attached.keys()) {
			const [kind, pid] = splitKey(key);
			const row = waiting.get(key) ?? attempt('read', (file) => readWaiting(file, kind, pid));
			try {
				const packed = row && attached.merge(key, row.packed);
				if (packed) waiting.set(key, { ...row, packed, ...changes.get(key) });
			} catch {
				// The value is damaged: whoever reads it finds out.
			}
		}
		attached.clear();
	};
	const flush = () => {
		if (waiting.size + changes.size + attached.size === 0 || !canWrite) return;
		attachWaiting();
		canWrite =
			attempt('written', (file) => file.write(waiting.values(), changes.values(), now())) !== undefined;
		if (!canWrite) return;
		waiting.clear();
		changes.clear();
		attached.clear();
	};
	const change = (key: string, changed: WaitingChange) => {
		if (!open) return;
		changes.set(key, { ...changes.get(key), ...changed });
		if (changes.size >= CHANGES) flush();
	};

	return {
		table<Value>(kind: Kind): Table<Value> {
			const keyOf = (pid: string) => `${kind} ${pid}`;
			const current = (pid: string, row: EntryRow): Entry => {
				const key = keyOf(pid);
				if (now() - row.used_at > USE_IS_KNOWN_TO && !changes.has(key)) change(key, { kind, pid });
				const { fetchedAt = row.fetched_at, state = row.state } = changes.get(key) ?? {};
				const { digest, validators, summary } = row;
				return {
					digest,
					fetchedAt,
					state,
					validators: validators ?? undefined,
					summary: summary ?? undefined,
				};
			};
			return {
				get(pid) {
					const row = waiting.get(keyOf(pid));
					if (row) return { pid, value: unpack<Value>(row.packed), ...toEntry(row) };
					return attempt('read', (file) => {
						const row = file.find<Value>(kind, pid);
						return row && { pid, value: row.value, ...current(pid, row) };
					});
				},
				entry(pid) {
					const row = waiting.get(keyOf(pid));
					if (row) return toEntry(row);
					return attempt('read', (file) => {
						const row = file.findEntry(kind, pid);
						return row && current(pid, row);
					});
				},
				entries(pids) {
					const entries = new Map<string, Entry>();
					const inFile: string[] = [];
					for (const pid of pids) {
						const row = waiting.get(keyOf(pid));
						if (row) entries.set(pid, toEntry(row));
						else inFile.push(pid);
					}
					const rows = attempt('read', (file) => file.findEntries(kind, inFile)) ?? [];
					for (const row of rows) entries.set(row.pid, current(row.pid, row));
					return entries;
				},
				isEmpty() {
					const isKnown = filled.get(kind) ?? attempt('read', (file) => file.hasAny(kind)) ?? false;
					filled.set(kind, isKnown);
					return !isKnown;
				},
				attachment(pid, set, name) {
					const key = keyOf(pid);
					const known = attached.get(key, set, name);
					if (known) return known;
					if (opened?.key !== key) {
						const row = waiting.get(key);
						const attachments = row
							? unpackAttachments(row.packed)
							: attempt('read', (file) => file.findAttachments(kind, pid));
						opened = { key, attachments };
					}
					return opened.attachments?.set === set ? opened.attachments.items[name] : undefined;
				},
				attach(pid, digest, set, name, attachment) {
					if (!open || attachment.text.length > MOST_ATTACHED) return;
					attached.add(keyOf(pid), digest, set, name, attachment);
					if (attached.size >= BATCH_SIZE) flush();
				},
				put(pid, packed, fetchedAt, validators) {
					if (!open) return;
					filled.set(kind, true);
					const key = keyOf(pid);
					if (opened?.key === key) opened = undefined;
					changes.delete(key);
					waiting.set(key, { kind, pid, packed, fetchedAt, state: 'fetched', validators });
					if (waiting.size >= BATCH_SIZE) flush();
				},
				change(pid, changed) {
					const key = keyOf(pid);
					const row = waiting.get(key);
					if (row) waiting.set(key, { ...row, ...changed });
					else change(key, { ...changed, kind, pid });
				},
			};
		},
		flush,
		prune(since) {
			flush();
			if (!canWrite) return 0;
			const mended = attempt('mended', (file) => file.mend(damaged.size > 0)) ?? [];
			for (const { kind, pid } of mended) damaged.add(`${kind} ${pid}`);
			return attempt('pruned', (file) => file.prune(since)) ?? 0;
		},
		close() {
			// What could not be written may be now: another build that held the file may have let go of it.
			canWrite = true;
			flush();
			// What could not be written cannot be folded in either; on a file that is held that costs the same wait again.
			if (canWrite) attempt('tidied', (file) => file.tidy());
			attempt('closed', (file) => file.close());
			if (open && damaged.size > 0) warn(describeDamage(damaged.size));
			open = undefined;
			attached.clear();
			waiting.clear();
			changes.clear();
		},
	};
}

function splitKey(key: string): [Kind, string] {
	const space = key.indexOf(' ');
	return [key.slice(0, space) as Kind, key.slice(space + 1)];
}

/** A row of the file as one that is written again. */
function readWaiting(file: StoreFile, kind: Kind, pid: string): WaitingRow | undefined {
	const row = file.findRow(kind, pid);
	if (!row) return undefined;
	const { digest, codec, value: bytes, summary, fetched_at: fetchedAt, state, validators } = row;
	return {
		kind,
		pid,
		packed: { digest, codec, bytes, summary: summary ?? undefined },
		fetchedAt,
		state,
		validators: validators ?? undefined,
	};
}

function describeDamage(count: number): string {
	const [rows, they, were] = count === 1 ? ['row', 'It', 'was'] : ['rows', 'They', 'were'];
	return `The store had ${count.toLocaleString('en')} damaged ${rows}. ${they} ${were} ignored, and what ${they.toLowerCase()} held is asked for again. If this comes back, check the disk, and the cache that the store is restored from.`;
}
