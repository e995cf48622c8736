import { hash } from 'node:crypto';
import { type Attachments, readAttachments, writeAttachments } from './attachments.js';
import { decode, encode } from './codec.js';

/** A value as the store keeps it: its JSON text and what was made of it, compressed. It can be passed between threads. */
export interface Packed {
	/** Changes exactly when the value does. */
	readonly digest: string;
	readonly codec: number;
	readonly bytes: Uint8Array;
	/** What must be known of the value without reading it, as JSON. */
	readonly summary: string | undefined;
}

/** Bytes before the value's text that hold its length. */
const HEAD = 4;

/**
 * Packs a value that JSON can hold.
 * @param summary what can be known about it without reading it.
 * @param attachments made of this value.
 */
export function pack(value: unknown, summary?: unknown, attachments?: Attachments): Packed {
	const text = Buffer.from(JSON.stringify(value));
	const digest = digestOf(text);
	return { digest, summary: JSON.stringify(summary), ...compress(text, digest, attachments) };
}

/**
 * The value that {@link pack} was given.
 * @throws Error if it is damaged, or not the one that the digest names.
 */
export function unpack<Value>(packed: Pick<Packed, 'codec' | 'bytes' | 'digest'>): Value {
	const { text } = open(packed);
	if (digestOf(text) !== packed.digest) throw new Error('The value is not the one that was stored.');
	return JSON.parse(text.toString()) as Value;
}

/**
 * What was made of a packed value; `undefined` if that is nothing, or of another value.
 * @throws Error if it is damaged.
 */
export function unpackAttachments(
	packed: Pick<Packed, 'codec' | 'bytes' | 'digest'>,
): Attachments | undefined {
	const { rest } = open(packed);
	return readAttachments(rest, packed.digest);
}

/** The same value with these attachments in place of those that it had. @throws Error if it is damaged */
export function withAttachments<From extends Pick<Packed, 'codec' | 'bytes' | 'digest'>>(
	packed: From,
	attachments: Attachments,
): From {
	return { ...packed, ...compress(open(packed).text, packed.digest, attachments) };
}

function compress(text: Buffer, digest: string, attachments: Attachments | undefined) {
	const head = Buffer.alloc(HEAD);
	head.writeUInt32LE(text.length);
	const rest = attachments ? writeAttachments(attachments, digest) : [];
	const { codec, value: bytes } = encode(Buffer.concat([head, text, ...rest]));
	return { codec, bytes };
}

function open({ codec, bytes }: Pick<Packed, 'codec' | 'bytes'>): { text: Buffer; rest: Buffer } {
	const all = decode(codec, bytes);
	const end = HEAD + all.readUInt32LE(0);
	return { text: all.subarray(HEAD, end), rest: all.subarray(end) };
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
