import { type Attachment, type Attachments, mergeAttachments } from './attachments.js';
import { type Packed, unpackAttachments, withAttachments } from './pack.js';
import type { Kind } from './review-store.js';

/** Attachments on their way to their values. */
export interface WaitingAttachments {
	readonly size: number;
	get(kind: Kind, pid: string, set: string, key: string): Attachment | undefined;
	add(kind: Kind, pid: string, digest: string, set: string, key: string, attachment: Attachment): void;
	/**
	 * Takes all of them out.
	 * @param merge called with each product that some wait for, and with what adds these to its value. That returns
	 * `undefined` if the value is another one, or damaged.
	 */
	take(merge: (kind: Kind, pid: string, addTo: (packed: Packed) => Packed | undefined) => void): void;
	clear(): void;
}

/** What waits for one value. */
interface Waiting extends Attachments {
	readonly kind: Kind;
	readonly pid: string;
	readonly digest: string;
}

/** A value's attachments are packed together, since each packing compresses the whole value again. */
export function createWaitingAttachments(): WaitingAttachments {
	const all = new Map<string, Waiting>();
	const keyOf = (kind: Kind, pid: string) => `${kind} ${pid}`;
	return {
		get size() {
			return all.size;
		},
		get(kind, pid, set, key) {
			const waiting = all.get(keyOf(kind, pid));
			return waiting?.set === set ? waiting.items[key] : undefined;
		},
		add(kind, pid, digest, set, key, attachment) {
			const old = all.get(keyOf(kind, pid));
			const items = old?.set === set && old.digest === digest ? old.items : {};
			all.set(keyOf(kind, pid), { kind, pid, digest, set, items: { ...items, [key]: attachment } });
		},
		take(merge) {
			for (const waiting of all.values()) {
				merge(waiting.kind, waiting.pid, (packed) => addTo(packed, waiting));
			}
			all.clear();
		},
		clear: () => all.clear(),
	};
}

function addTo(packed: Packed, { digest, set, items }: Waiting): Packed | undefined {
	if (packed.digest !== digest) return undefined;
	try {
		return withAttachments(packed, mergeAttachments(unpackAttachments(packed), { set, items }));
	} catch {
		// The value is damaged: whoever reads it finds out.
		return undefined;
	}
}
