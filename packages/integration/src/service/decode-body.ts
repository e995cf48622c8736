import { pipeline, type Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';

/** How a body can be compressed. */
export interface Encoding {
	readonly decode: (bytes: Uint8Array, options: zlib.ZlibOptions) => Uint8Array;
	readonly createDecoder: () => Transform;
	/** Bytes that a body claims to have, decompressed. */
	readonly lengthOf?: (sent: Buffer) => number;
}

/** Bytes that a body may be that is decompressed in one go. */
const MOST_DECODED = 8 * 1_024 * 1_024;

/** @param header `content-encoding`. @returns `undefined` for a body that comes as it is. */
export function encodingOf(header: string | undefined): Encoding | undefined {
	return ENCODINGS.get(header?.trim().toLowerCase() ?? '');
}

/** Decompresses a body in one go; `undefined` for one that is too large for that. @throws Error where it is damaged. */
export function decodeWhole(sent: Buffer, encoding: Encoding | undefined): Uint8Array | undefined {
	if (!encoding || sent.length === 0) return sent;
	try {
		return encoding.decode(sent, { maxOutputLength: MOST_DECODED, chunkSize: encoding.lengthOf?.(sent) });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
		throw error;
	}
}

/** The decompressed parts of a body, as they come. */
export function decodeInPieces(sent: Readable, encoding: Encoding | undefined): AsyncIterator<Uint8Array> {
	// Who reads hears of an error.
	const read = encoding ? pipeline(sent, encoding.createDecoder(), () => {}) : sent;
	return read[Symbol.asyncIterator]();
}

const GZIP: Encoding = { decode: zlib.gunzipSync, createDecoder: zlib.createGunzip, lengthOf: lengthOfGzip };
// A map: what a service sends may also be the name of what every object has, such as `constructor`.
const ENCODINGS: ReadonlyMap<string, Encoding> = new Map([
	['gzip', GZIP],
	['x-gzip', GZIP],
	['deflate', { decode: zlib.inflateSync, createDecoder: zlib.createInflate }],
	['br', { decode: zlib.brotliDecompressSync, createDecoder: zlib.createBrotliDecompress }],
]);

/** Bytes at the end of gzip that say how many there are, decompressed. */
const TRAILER = 4;
/** Less would decompress what lies about its length in too many steps. */
const LEAST_LENGTH = 16_384;

/** In a buffer that holds all of a body nothing is copied, and nothing is left over of the 64 KB that zlib takes else. */
function lengthOfGzip(sent: Buffer): number {
	const claimed = sent.length < TRAILER ? 0 : sent.readUInt32LE(sent.length - TRAILER);
	// One more, so that zlib need not ask for another buffer to know that it is done.
	return Math.min(MOST_DECODED, Math.max(LEAST_LENGTH, claimed + 1));
}
