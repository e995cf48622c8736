import QuickLRU from 'quick-lru';
import { MOST_ATTACHED, type ValueAttachments } from './attachments.js';
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

/** Values whose attachments are kept in memory: a page asks for several of one. They take a megabyte or two. */
const RECENT = 32;

export function createTableAttachments(
	kind: Kind,
	guarded: GuardedFile,
	buffer: WriteBuffer,
): TableAttachments {
	const recent = new QuickLRU<string, { readonly attachments: ValueAttachments | undefined }>({
		maxSize: RECENT,
	});

	const readAhead = (pids: readonly string[]) => {
		// What waits to be written has not been made of the value in the file.
		const unread = pids.filter((pid) => !recent.has(pid) && !buffer.rowOf(kind, pid));
		if (unread.length === 0) return;
		const found = guarded.attempt('read', (file) => file.findAttachments(kind, unread));
		for (const pid of unread) recent.set(pid, { attachments: found?.get(pid) });
	};
	return {
		get(pid, set, key) {
			const attached = buffer.attachments.get(kind, pid, set, key);
			if (attached) return attached;
			readAhead([pid]);
			const attachments = recent.get(pid)?.attachments;
			return attachments?.set === set ? attachments.items[key] : undefined;
		},
		add(pid, digest, set, key, attachment) {
			recent.delete(pid);
			if (attachment.text.length > MOST_ATTACHED || !guarded.isOpen) return;
			buffer.attach(kind, pid, digest, set, key, attachment);
		},
		readAhead,
		forget: (pid) => void recent.delete(pid),
	};
}
