import type { Kind } from './review-store.js';
import type { Waiting, WaitingChange, WaitingRow } from './row-writer.js';
import { createWaitingAttachments, type WaitingAttachments } from './waiting-attachments.js';

/** Rows written in one transaction. A hundred cost little more than one. */
const BATCH_SIZE = 100;
/** Small changes written in one transaction. */
const CHANGES = 2_000;

/** Values and changes on their way into the file. */
export interface WriteBuffer {
	/** A value that is not in the file yet. */
	rowOf(kind: Kind, pid: string): WaitingRow | undefined;
	/** A change that is not in the file yet, of a value that is. */
	changeOf(kind: Kind, pid: string): WaitingChange | undefined;
	/** Attachments that are not in the file yet. */
	readonly attachments: Pick<WaitingAttachments, 'get'>;
	attach: WaitingAttachments['add'];
	put(row: WaitingRow): void;
	/** Changes a value, whether it is in the file or still waiting. */
	change(change: WaitingChange): void;
	/** Writes everything, unless an earlier attempt failed. @returns whether the file can still be written. */
	flush(): boolean;
	/** Has {@link WriteBuffer.flush} try again after a failure. */
	retry(): void;
	clear(): void;
}

/**
 * Collects writes. Values that could not be written are kept for the build; what was made of them is not.
 * @param write writes all of it, or nothing. @returns whether it succeeded.
 */
export function createWriteBuffer(write: (waiting: Waiting) => boolean): WriteBuffer {
	const rows = new Map<string, WaitingRow>();
	const changes = new Map<string, WaitingChange>();
	const attachments = createWaitingAttachments();
	let canWrite = true;
	const keyOf = (kind: Kind, pid: string) => `${kind} ${pid}`;
	const clear = () => {
		rows.clear();
		changes.clear();
		attachments.clear();
	};
	const flush = () => {
		if (rows.size + changes.size + attachments.size === 0) return canWrite;
		if (canWrite) {
			canWrite = write({
				rows: [...rows.values()],
				changes: [...changes.values()],
				members: attachments.members(),
			});
		}
		if (canWrite) clear();
		else attachments.clear();
		return canWrite;
	};
	return {
		rowOf: (kind, pid) => rows.get(keyOf(kind, pid)),
		changeOf: (kind, pid) => changes.get(keyOf(kind, pid)),
		attachments,
		attach(...attachment) {
			attachments.add(...attachment);
			if (attachments.size >= BATCH_SIZE) flush();
		},
		put(row) {
			const key = keyOf(row.kind, row.pid);
			const { attachments: _apart, ...packed } = row.packed;
			changes.delete(key);
			rows.set(key, { ...row, packed });
			attachments.put(row.kind, row.pid, row.packed);
			if (rows.size >= BATCH_SIZE) flush();
		},
		change(changed) {
			const key = keyOf(changed.kind, changed.pid);
			const row = rows.get(key);
			if (row) {
				rows.set(key, { ...row, ...changed });
				return;
			}
			changes.set(key, { ...changes.get(key), ...changed });
			if (changes.size >= CHANGES) flush();
		},
		flush,
		retry() {
			canWrite = true;
		},
		clear,
	};
}
