import * as zlib from 'node:zlib';

/** How a value is compressed. It is stored with the value, so each Node version can read what another wrote. */
export type Codec = typeof ZSTD | typeof GZIP;

const ZSTD = 1;
const GZIP = 2;

// zstd came with Node 22.15. Its level 3 is faster and smaller than gzip's level 1. The checksum detects flipped bits when
// a value is read; gzip always has one.
const ZSTD_OPTIONS = {
	params: {
		[zlib.constants.ZSTD_c_compressionLevel]: 3,
		[zlib.constants.ZSTD_c_checksumFlag]: 1,
	},
};

const hasZstd = typeof zlib.zstdCompressSync === 'function';

/** Compresses UTF-8 text with the best codec of this Node version. */
export function encode(text: Uint8Array): { codec: Codec; value: Uint8Array } {
	const codec = hasZstd ? ZSTD : GZIP;
	// If zstd knows the length, it allocates tables of that size, and spends no time on clearing larger ones.
	const chunkSize = bufferSize(text.length / 2);
	const compressed = hasZstd
		? zlib.zstdCompressSync(text, { ...ZSTD_OPTIONS, pledgedSrcSize: text.length, chunkSize })
		: zlib.gzipSync(text, { level: 1, chunkSize });
	// zlib returns a view of a larger buffer, which would be kept, and copied between threads, as a whole.
	return { codec, value: new Uint8Array(compressed) };
}

/**
 * The text that was given to {@link encode}.
 * @throws Error if the value is damaged, or this version of Node lacks its codec.
 */
export function decode(codec: number, value: Uint8Array): Buffer {
	const chunkSize = bufferSize(value.length * SHRINKS);
	if (codec === GZIP) return zlib.gunzipSync(value, { chunkSize });
	if (codec === ZSTD && hasZstd) return zlib.zstdDecompressSync(value, { chunkSize });
	throw new Error(`The value has codec ${codec}, which this version of Node cannot read.`);
}

/** How much shorter values become; few become shorter still. */
const SHRINKS = 6;

/**
 * The size of zlib's buffer, in bytes, if a result is about this long. If it fits into one buffer, and that is not much
 * larger, a value takes a third less time than with zlib's 64 KB.
 */
function bufferSize(length: number): number {
	return Math.min(Math.max(Math.ceil(length), 1_024), 1_048_576);
}
