import { decode, encode } from './codec.js';
import { digestOf } from './digest-of.js';

/** A value as the store keeps it: its JSON text, compressed. It can be handed from thread to thread. */
export interface Packed {
	/** Changes exactly when the value does. */
	readonly digest: string;
	readonly codec: number;
	readonly bytes: Uint8Array;
	/** What of it is to be known without reading it, as JSON. */
	readonly summary: string | undefined;
}

/**
 * Packs a value that JSON can hold.
 * @param summary what of it is to be known without reading it.
 */
export function pack(value: unknown, summary?: unknown): Packed {
	const text = Buffer.from(JSON.stringify(value));
	const { codec, value: bytes } = encode(text);
	return { digest: digestOf(text), codec, bytes, summary: JSON.stringify(summary) };
}

/**
 * The value that {@link pack} was given.
 * @throws Error where it is damaged, or another one than the digest says.
 */
export function unpack<Value>({ codec, bytes, digest }: Pick<Packed, 'codec' | 'bytes' | 'digest'>): Value {
	const text = decode(codec, bytes);
	if (digestOf(text) !== digest) throw new Error('The value is not the one that was stored.');
	return JSON.parse(text) as Value;
}
