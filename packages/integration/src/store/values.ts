import { hash } from 'node:crypto';
import * as zlib from 'node:zlib';

/** How a value is compressed. It is stored with the value, so each Node version can read what another wrote. */
export type Codec = typeof ZSTD | typeof GZIP;

const ZSTD = 1;

const GZIP = 2;

// zstd came with Node 22.15. It is faster and smaller than gzip. Its level 1 takes a quarter less time than level 3, for 2 %
// more bytes. The checksum detects flipped bits when a value is read; gzip always has one.
const ZSTD_OPTIONS = {
	params: {
		[zlib.constants.ZSTD_c_compressionLevel]: 1,
		[zlib.constants.ZSTD_c_checksumFlag]: 1,
	},
};

/** Bytes before a compressed text that hold its length. */
const HEAD = 4;

/** The shortest output that zlib takes. */
const LEAST_CHUNK = zlib.constants.Z_MIN_CHUNK;

/** The longest output that it is given one buffer for, in bytes. */
const MOST_CHUNK = 16_777_216;

const hasZstd = typeof zlib.zstdCompressSync === 'function';

/** Compresses UTF-8 text with the best codec of this Node version. */
export function encode(text: Uint8Array): { codec: Codec; value: Uint8Array } {
	const codec = hasZstd ? ZSTD : GZIP;
	// If zstd knows the length, it allocates tables of that size, and spends no time on clearing larger ones.
	const chunkSize = bufferSize(text.length / 2);
	const compressed = hasZstd
		? zlib.zstdCompressSync(text, { ...ZSTD_OPTIONS, pledgedSrcSize: text.length, chunkSize })
		: zlib.gzipSync(text, { level: 1, chunkSize });
	// A copy: zlib returns a view of a larger buffer, which would be kept, and copied between threads, as a whole.
	const value = new Uint8Array(HEAD + compressed.length);
	new DataView(value.buffer).setUint32(0, text.length, true);
	value.set(compressed, HEAD);
	return { codec, value };
}

/**
 * The text that was given to {@link encode}.
 * @throws Error if the value is damaged, or this version of Node lacks its codec.
 */
export function decode(codec: number, value: Uint8Array): Buffer {
	const length = new DataView(value.buffer, value.byteOffset, value.byteLength).getUint32(0, true);
	const compressed = value.subarray(HEAD);
	// With room for one more byte, zlib is done after one step, and allocates and copies nothing else.
	const options = { chunkSize: bufferSize(length + 1) };
	if (codec === GZIP) return zlib.gunzipSync(compressed, options);
	if (codec === ZSTD && hasZstd) return zlib.zstdDecompressSync(compressed, options);
	throw new Error(`The value has codec ${codec}, which this version of Node cannot read.`);
}

/**
 * The size of zlib's buffer for a result of about this length, in bytes. It is limited, because a damaged length may be 4 GB;
 * longer results take several buffers.
 */
function bufferSize(length: number): number {
	return Math.min(Math.max(Math.ceil(length), LEAST_CHUNK), MOST_CHUNK);
}

/**
 * Bytes with a table of what is in them: the length of the table, the table as JSON, and the parts. They have a buffer of
 * their own.
 */
export function frame(table: unknown, parts: readonly Uint8Array[]): Buffer<ArrayBuffer> {
	const head = Buffer.from(JSON.stringify(table));
	const length = parts.reduce((sum, part) => sum + part.length, HEAD + head.length);
	const bytes = Buffer.allocUnsafeSlow(length);
	let at = bytes.writeUInt32LE(head.length);
	for (const part of [head, ...parts]) {
		bytes.set(part, at);
		at += part.length;
	}
	return bytes;
}

/**
 * The table of {@link frame}, and where the parts begin.
 * @throws Error if the bytes are damaged.
 */
export function readFrame<Table>(bytes: Buffer): { readonly table: Table; readonly start: number } {
	const start = HEAD + bytes.readUInt32LE(0);
	return { table: JSON.parse(bytes.toString('utf8', HEAD, start)) as Table, start };
}

/** What was made of a value, such as its html. */
export interface Attachments {
	/** Names what they were made with. Those of another set are dropped. */
	readonly set: string;
	readonly items: Readonly<Record<string, Attachment>>;
}

/** Attachments with the value that they were made of. They are kept until the value is another one. */
export interface ValueAttachments extends Attachments {
	readonly digest: string;
}

export interface Attachment {
	readonly text: string;
	/** What JSON can hold. */
	readonly about: unknown;
}

/** UTF-16 code units of all texts of a value. Reading more would take longer than making them again. */
export const MOST_ATTACHED = 131_072;

/** The table of their texts, as they are in bytes. */
interface Table extends Omit<ValueAttachments, 'items'> {
	/** Where each text is, in bytes, and what is known about it. */
	readonly items: Readonly<Record<string, readonly [start: number, end: number, about: unknown]>>;
}

/** The bytes have a buffer of their own, so passing them to another thread copies nothing else. */
export function writeAttachments({ digest, set, items }: ValueAttachments): Buffer<ArrayBuffer> {
	const texts: Buffer[] = [];
	let end = 0;
	const places = Object.entries(items).map(([key, { text, about }]) => {
		const bytes = Buffer.from(text);
		texts.push(bytes);
		const start = end;
		end += bytes.length;
		return [key, [start, end, about]] as const;
	});
	return frame({ digest, set, items: Object.fromEntries(places) } satisfies Table, texts);
}

/** @throws Error if they are damaged. */
export function readAttachments(bytes: Buffer): ValueAttachments {
	const { table, start } = readFrame<Table>(bytes);
	const items: Record<string, Attachment> = {};
	for (const [key, [from, to, about]] of Object.entries(table.items)) {
		items[key] = { text: bytes.toString('utf8', start + from, start + to), about };
	}
	return { ...table, items };
}

/** Both, if they are of one value and set, and short enough together. Otherwise those of the value that were there. */
export function mergeAttachments(
	old: ValueAttachments | undefined,
	added: ValueAttachments,
): ValueAttachments {
	if (old?.digest !== added.digest || old.set !== added.set) return added;
	const items = { ...old.items, ...added.items };
	const length = Object.values(items).reduce((sum, { text }) => sum + text.length, 0);
	return length > MOST_ATTACHED ? old : { ...added, items };
}

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
