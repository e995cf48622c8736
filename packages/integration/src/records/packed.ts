import * as zlib from 'node:zlib';
import { digestOf } from '../base/digest.js';
import { type Content, type Packed, type Part, type Records, summaryOf } from './parts.js';
import { type CondensedRecord, condenseRecord, type ProductReviews, restoreRecord } from './record.js';

// How a value is compressed. It is stored with the value, so each Node version can read what another wrote.
const TEXT = 0;
const ZSTD = 1;
const GZIP = 2;

// zstd came with Node 22.15. Its level 1 takes a quarter less time than level 3, for 2 % more bytes.
const ZSTD_OPTIONS = {
	params: {
		[zlib.constants.ZSTD_c_compressionLevel]: 1,
		[zlib.constants.ZSTD_c_checksumFlag]: 1,
	},
};

/** Bytes before a compressed text that hold its length. */
const HEAD = 4;

/** The longest output for which zlib gets one buffer, in bytes. A damaged length may be 4 GB. */
const MAX_CHUNK = 16_777_216;

const hasZstd = typeof zlib.zstdCompressSync === 'function';

export function encode(text: Uint8Array): { codec: number; value: Uint8Array } {
	const codec = hasZstd ? ZSTD : GZIP;
	const compressed = hasZstd
		? zlib.zstdCompressSync(text, { ...ZSTD_OPTIONS, pledgedSrcSize: text.length })
		: zlib.gzipSync(text, { level: 1 });
	// A copy: zlib returns a view of a larger buffer, which would be kept, and copied between threads, as a whole.
	const value = new Uint8Array(HEAD + compressed.length);
	new DataView(value.buffer).setUint32(0, text.length, true);
	value.set(compressed, HEAD);
	return { codec, value };
}

export function decode(codec: number, value: Uint8Array): Buffer {
	if (codec === TEXT) return Buffer.from(value);
	const length = new DataView(value.buffer, value.byteOffset, value.byteLength).getUint32(0, true);
	const compressed = value.subarray(HEAD);
	// With room for one more byte, zlib is done after one step, and allocates and copies nothing else.
	const options = { chunkSize: Math.min(Math.max(length + 1, zlib.constants.Z_MIN_CHUNK), MAX_CHUNK) };
	if (codec === GZIP) return zlib.gunzipSync(compressed, options);
	if (codec === ZSTD && hasZstd) return zlib.zstdDecompressSync(compressed, options);
	throw new Error(`The value has codec ${codec}, which this version of Node cannot read.`);
}

export function pack(value: unknown, summary?: unknown): Packed {
	const text = Buffer.from(JSON.stringify(value));
	return { digest: digestOf(text), ...encode(text), summary: JSON.stringify(summary) };
}

export function unpack<Value>({ digest, codec, value }: Omit<Packed, 'summary'>): Value {
	const text = decode(codec, value);
	if (digestOf(text) !== digest) throw new Error('The value is not the one that was stored.');
	return JSON.parse(text.toString()) as Value;
}

/** Packs a record, unless a thread has done so. */
export function packContent<Of extends Part>(part: Of, content: Content<Of>): Packed {
	if (!('record' in content)) return content;
	const record: Records[Part] = content.record;
	const summary = summaryOf(part, content.record);
	if (part === 'rating') {
		// It is its summary: so short, and written so often, that compressing it would cost more than its bytes.
		const text = Buffer.from(summary ?? '');
		return { digest: digestOf(text), codec: TEXT, value: text, summary };
	}
	return { ...pack(part === 'reviews' ? condenseRecord(record as ProductReviews) : record), summary };
}

/** Reads a packed record. @throws Error if it is damaged. */
export function readPacked<Of extends Part>(part: Of, packed: Omit<Packed, 'summary'>): Records[Of] {
	const value: unknown = unpack(packed);
	return (part === 'reviews' ? restoreRecord(value as CondensedRecord) : value) as Records[Of];
}
