import QuickLRU from 'quick-lru';
import { MOST_ATTACHED, type ValueAttachments } from './attachments.js';
import type { PlacedAttachments } from './block-reader.js';
import type { GuardedFile } from './guarded-file.js';
import type { Kind, Table } from './review-store.js';
import type { WriteBuffer } from './write-buffer.js';

/** What was made of the values of one kind: in the file, and waiting to be written. */
export interface TableAttachments {
	readonly get: Table<unknown>['attachment'];
	readonly add: Table<unknown>['attach'];
	readonly readAhead: Table<unknown>['readAhead'];
	/** Forgets what was read: the value has changed. */
	forget(pid: string): void;
}

/** Values whose attachments are kept in memory: those of the page, and those read ahead. They take a few megabytes. */
const RECENT = 64;

export function createTableAttachments(
	kind: Kind,
	guarded: GuardedFile,
	buffer: WriteBuffer,
): TableAttachments {
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
