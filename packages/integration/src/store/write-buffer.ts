import type { NewMember } from './blocks.js';
import type { Kind } from './review-store.js';
import type { Waiting, WaitingChange, WaitingRow } from './row-writer.js';
import {
	type Attachment,
	mergeAttachments,
	type Packed,
	readAttachments,
	type ValueAttachments,
	writeAttachments,
} from './values.js';

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

/** Attachments on their way into the file. */
interface WaitingAttachments {
	readonly size: number;
	get(kind: Kind, pid: string, set: string, key: string): Attachment | undefined;
	/** Replaces those of a value, because it is a new one. */
	put(kind: Kind, pid: string, packed: Packed): void;
	/** @param digest of the value that it was made of. */
	add(kind: Kind, pid: string, digest: string, set: string, key: string, attachment: Attachment): void;
	members(): readonly Omit<NewMember, 'account'>[];
	clear(): void;
}

/** What waits for one value. */
interface WaitingMember {
	readonly kind: Kind;
	readonly pid: string;
	/** Of the value. */
	readonly digest: string;
	/** As bytes, if the thread that fetches made it. Those are seldom read before they are written. */
	readonly made: ValueAttachments | Buffer<ArrayBuffer>;
}

function createWaitingAttachments(): WaitingAttachments {
	const all = new Map<string, WaitingMember>();
	const keyOf = (kind: Kind, pid: string) => `${kind} ${pid}`;
	const read = (kind: Kind, pid: string) => {
		const made = all.get(keyOf(kind, pid))?.made;
		return made instanceof Uint8Array ? readAttachments(made) : made;
	};
	return {
		get size() {
			return all.size;
		},
		get(kind, pid, set, key) {
			const attachments = read(kind, pid);
			return attachments?.set === set ? attachments.items[key] : undefined;
		},
		put(kind, pid, { digest, attachments }) {
			if (attachments)
				all.set(keyOf(kind, pid), { kind, pid, digest, made: Buffer.from(attachments.buffer) });
			else all.delete(keyOf(kind, pid));
		},
		add(kind, pid, digest, set, key, attachment) {
			const added = { digest, set, items: { [key]: attachment } };
			all.set(keyOf(kind, pid), { kind, pid, digest, made: mergeAttachments(read(kind, pid), added) });
		},
		members: () => [...all.values()].map(toMember),
		clear: () => all.clear(),
	};
}

function toMember({ made, ...key }: WaitingMember): Omit<NewMember, 'account'> {
	if (made instanceof Uint8Array) return { ...key, bytesWith: () => made };
	const merge = (old: Buffer | undefined) => mergeAttachments(old && readAttachments(old), made);
	return { ...key, bytesWith: (old) => writeAttachments(merge(old)) };
}
