import { type Attachment, type Attachments, mergeAttachments } from './attachments.js';
import { type Packed, unpackAttachments, withAttachments } from './pack.js';

/** Attachments on their way to their values, by the key of a row. */
export interface WaitingAttachments {
	readonly size: number;
	get(key: string, set: string, name: string): Attachment | undefined;
	add(key: string, digest: string, set: string, name: string, attachment: Attachment): void;
	/** Gives the value's row with all that waits for it; `undefined` if nothing does, or if the value is another one. */
	merge<Row extends Packed>(key: string, row: Row): Row | undefined;
	keys(): IterableIterator<string>;
	clear(): void;
}

/** A product's pieces are packed together: each packing compresses the whole value again. */
export function createWaitingAttachments(): WaitingAttachments {
	const waiting = new Map<string, Attachments & { readonly digest: string }>();
	return {
		get size() {
			return waiting.size;
		},
		get(key, set, name) {
			const found = waiting.get(key);
			return found?.set === set ? found.items[name] : undefined;
		},
		add(key, digest, set, name, attachment) {
			const old = waiting.get(key);
			const items = old?.set === set && old.digest === digest ? old.items : {};
			waiting.set(key, { digest, set, items: { ...items, [name]: attachment } });
		},
		merge(key, row) {
			const found = waiting.get(key);
			if (found?.digest !== row.digest) return undefined;
			return withAttachments(row, mergeAttachments(unpackAttachments(row), found));
		},
		keys: () => waiting.keys(),
		clear: () => waiting.clear(),
	};
}
