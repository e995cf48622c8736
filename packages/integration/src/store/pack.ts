import { hash } from 'node:crypto';
import { type Attachments, writeAttachments } from './attachments.js';
import { decode, encode } from './codec.js';

/** A value as the store keeps it: its JSON text, compressed. It can be passed between threads. */
export interface Packed {
	/** Changes exactly when the value does. */
	readonly digest: string;
	readonly codec: number;
	readonly bytes: Uint8Array;
	/** What must be known of the value without reading it, as JSON. */
	readonly summary: string | undefined;
	/** What was made of it, as `writeAttachments` writes it, in a buffer of its own. The store keeps it apart. */
	readonly attachments?: Uint8Array<ArrayBuffer> | undefined;
}

/**
 * Packs a value that JSON can hold.
 * @param summary what can be known about it without reading it.
 * @param attachments made of this value.
 */
export function pack(value: unknown, summary?: unknown, attachments?: Attachments): Packed {
	const text = Buffer.from(JSON.stringify(value));
	const digest = digestOf(text);
	const { codec, value: bytes } = encode(text);
	return {
		digest,
		codec,
		bytes,
		summary: JSON.stringify(summary),
		...(attachments && { attachments: writeAttachments({ ...attachments, digest }) }),
	};
}

/**
 * The value that {@link pack} was given.
 * @throws Error if it is damaged, or not the one that the digest names.
 */
export function unpack<Value>({ digest, codec, bytes }: Pick<Packed, 'codec' | 'bytes' | 'digest'>): Value {
	const text = decode(codec, bytes);
	if (digestOf(text) !== digest) throw new Error('The value is not the one that was stored.');
	return JSON.parse(text.toString()) as Value;
}

/** A short, unique name of a text: 128 bits of SHA-256, in hexadecimal. */
export function digestOf(text: string | Uint8Array): string {
	return hash('sha256', text).slice(0, 32);
}

/**
 * The value of rows whose key and summary are all they need. Compressing one for each would take longer than writing the
 * rows.
 */
export const NO_VALUE: Packed = pack({});

const CONFIRMED = { confirmed: true };

/**
 * The value of a mark made by a person. The product is fetched again, and the answer is believed even if many products
 * have lost their reviews.
 */
export function packConfirmed(): Packed {
	return pack({}, CONFIRMED);
}

/** Whether a mark is one of {@link packConfirmed} and newer than the stored value. */
export function isConfirmedBy(
	mark: { readonly summary: string | undefined; readonly fetchedAt: number } | undefined,
	stored: { readonly fetchedAt: number },
): boolean {
	return mark?.summary === JSON.stringify(CONFIRMED) && mark.fetchedAt > stored.fetchedAt;
}
