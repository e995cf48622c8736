import {
	type Attachment,
	mergeAttachments,
	readAttachments,
	type ValueAttachments,
	writeAttachments,
} from './attachments.js';
import type { NewMember } from './block-writer.js';
import type { Packed } from './pack.js';
import type { Kind } from './review-store.js';

/** Attachments on their way into the file. */
export interface WaitingAttachments {
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
interface Waiting {
	readonly kind: Kind;
	readonly pid: string;
	/** Of the value. */
	readonly digest: string;
	/** As bytes, if the thread that fetches made it. Those are seldom read before they are written. */
	readonly made: ValueAttachments | Buffer<ArrayBuffer>;
}

export function createWaitingAttachments(): WaitingAttachments {
	const all = new Map<string, Waiting>();
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

function toMember({ made, ...key }: Waiting): Omit<NewMember, 'account'> {
	if (made instanceof Uint8Array) return { ...key, bytesWith: () => made };
	const merge = (old: Buffer | undefined) => mergeAttachments(old && readAttachments(old), made);
	return { ...key, bytesWith: (old) => writeAttachments(merge(old)) };
}
