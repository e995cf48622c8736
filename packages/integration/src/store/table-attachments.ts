import { type Attachments, MOST_ATTACHED } from './attachments.js';
import type { GuardedFile } from './guarded-file.js';
import { unpackAttachments } from './pack.js';
import type { Kind, Table } from './review-store.js';
import type { WriteBuffer } from './write-buffer.js';

/** What was made of the values of one kind: in the file, and waiting to be written. */
export interface TableAttachments {
	readonly get: Table<unknown>['attachment'];
	readonly add: Table<unknown>['attach'];
	/** Forgets what was read: a value has changed. */
	forget(): void;
}

export function createTableAttachments(
	kind: Kind,
	guarded: GuardedFile,
	buffer: WriteBuffer,
): TableAttachments {
	// A page asks for several attachments of one value.
	let opened: { readonly pid: string; readonly attachments: Attachments | undefined } | undefined;

	const read = (pid: string): Attachments | undefined => {
		const waiting = buffer.rowOf(kind, pid);
		if (waiting) return unpackAttachments(waiting.packed);
		return guarded.attempt('read', (file) => file.findAttachments(kind, pid));
	};
	return {
		get(pid, set, key) {
			const waiting = buffer.attachments.get(kind, pid, set, key);
			if (waiting) return waiting;
			if (opened?.pid !== pid) opened = { pid, attachments: read(pid) };
			return opened.attachments?.set === set ? opened.attachments.items[key] : undefined;
		},
		add(pid, digest, set, key, attachment) {
			opened = undefined;
			if (attachment.text.length > MOST_ATTACHED || !guarded.isOpen) return;
			buffer.attach(kind, pid, digest, set, key, attachment);
		},
		forget() {
			opened = undefined;
		},
	};
}
