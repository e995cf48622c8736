import { pipeline, type Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';

/** A compression format of a body. */
export interface Encoding {
	readonly decode: (bytes: Uint8Array, options: zlib.ZlibOptions) => Uint8Array;
	readonly createDecoder: () => Transform;
	/** The decompressed length that a body claims, in bytes. */
	readonly lengthOf?: (sent: Buffer) => number;
}

/** Maximum decompressed size of a body that is decompressed in one go, in bytes. */
const MOST_DECODED = 8 * 1_024 * 1_024;

/** @param header `content-encoding`. @returns `undefined` for an uncompressed body. */
export function encodingOf(header: string | undefined): Encoding | undefined {
	return ENCODINGS.get(header?.trim().toLowerCase() ?? '');
}

/** Decompresses a body in one go; `undefined` if it is too large for that. @throws Error if it is damaged. */
export function decodeWhole(sent: Buffer, encoding: Encoding | undefined): Uint8Array | undefined {
	if (!encoding || sent.length === 0) return sent;
	try {
		return encoding.decode(sent, { maxOutputLength: MOST_DECODED, chunkSize: encoding.lengthOf?.(sent) });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
		throw error;
	}
}

/** Decompresses a body piece by piece. */
export function decodeInPieces(sent: Readable, encoding: Encoding | undefined): AsyncIterator<Uint8Array> {
	// The callback does nothing because the reader gets the error.
	const read = encoding ? pipeline(sent, encoding.createDecoder(), () => {}) : sent;
	return read[Symbol.asyncIterator]();
}

const GZIP: Encoding = { decode: zlib.gunzipSync, createDecoder: zlib.createGunzip, lengthOf: lengthOfGzip };
// A map, because a service may send the name of a property that every object has, such as `constructor`.
const ENCODINGS: ReadonlyMap<string, Encoding> = new Map([
	['gzip', GZIP],
	['x-gzip', GZIP],
	['deflate', { decode: zlib.inflateSync, createDecoder: zlib.createInflate }],
	['br', { decode: zlib.brotliDecompressSync, createDecoder: zlib.createBrotliDecompress }],
]);

/** Size of the field at the end of gzip data that contains the decompressed length, in bytes. */
const TRAILER = 4;
/** With a smaller buffer, a body that lies about its length would take too many steps. */
const LEAST_LENGTH = 16_384;

/** A buffer for the whole body avoids copying, and the unused rest of the 64 KB that zlib would otherwise allocate. */
function lengthOfGzip(sent: Buffer): number {
	const claimed = sent.length < TRAILER ? 0 : sent.readUInt32LE(sent.length - TRAILER);
	// One more byte, or zlib would need another buffer to notice that it is done.
	return Math.min(MOST_DECODED, Math.max(LEAST_LENGTH, claimed + 1));
}
