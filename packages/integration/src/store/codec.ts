import * as zlib from 'node:zlib';

/** How a value is compressed; written beside it, so that each Node version reads what another wrote. */
export type Codec = typeof ZSTD | typeof GZIP;

const ZSTD = 1;
const GZIP = 2;

// zstd came with Node 22.15; its level 3 is faster than gzip's 1 and smaller. The checksum finds a flipped bit when a
// value is read; gzip always has one.
const ZSTD_OPTIONS = {
	params: {
		[zlib.constants.ZSTD_c_compressionLevel]: 3,
		[zlib.constants.ZSTD_c_checksumFlag]: 1,
	},
};

const hasZstd = typeof zlib.zstdCompressSync === 'function';

/** Compresses a text in UTF-8 with the best codec that this Node has. */
export function encode(text: Uint8Array): { codec: Codec; value: Uint8Array } {
	const codec = hasZstd ? ZSTD : GZIP;
	// zstd that knows the length takes tables of that size, and no time to clear larger ones.
	const compressed = hasZstd
		? zlib.zstdCompressSync(text, { ...ZSTD_OPTIONS, pledgedSrcSize: text.length })
		: zlib.gzipSync(text, { level: 1 });
	// What zlib gives is the beginning of 64 KB, all of which would be kept, and copied from thread to thread.
	return { codec, value: new Uint8Array(compressed) };
}

/**
 * The text that {@link encode} was given.
 * @throws Error where the value is damaged, or its codec is one that this Node lacks.
 */
export function decode(codec: number, value: Uint8Array): Buffer {
	if (codec === GZIP) return zlib.gunzipSync(value);
	if (codec === ZSTD && hasZstd) return zlib.zstdDecompressSync(value);
	throw new Error(`The value has codec ${codec}, which this version of Node cannot read.`);
}
