import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline, Readable, type Transform } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import * as zlib from 'node:zlib';
import pLimit from 'p-limit';

/** Bytes of a body, as sent, that are read whole: a hundred times what most products have. */
const MOST_SENT = 512 * 1_024;
/** Bytes that such a body may be, decompressed. */
const MOST_DECODED = 8 * 1_024 * 1_024;

// Each body is decompressed, and then read by who waits for it, in a turn of the event loop of its own. Six answers that
// come together would otherwise hold up the next six requests; and what waits is as small as it was sent.
const oneATurn = pLimit(1);

/**
 * The `fetch` of Node's own HTTP client, for the client of the service and what that asks of it: a text for a body, and
 * redirects that are not followed. A body that is not large is read and decompressed in one go, which takes a third of the
 * processor time of the built-in `fetch`: its streams do both piece by piece. A larger one comes in pieces, and costs no
 * more memory than its reader allows.
 *
 * Proxies (`NODE_USE_ENV_PROXY`) and certificates (`NODE_EXTRA_CA_CERTS`) are those of Node.
 *
 * @throws Error of the connection, with its `code`; the reason of the signal.
 */
export function fetchWhole(
	address: string | URL | Request,
	{ method = 'GET', headers, body, signal }: RequestInit = {},
): Promise<Response> {
	const url = new URL(address instanceof Request ? address.url : address);
	const request = url.protocol === 'https:' ? requestHttps : requestHttp;
	return new Promise((resolve, reject) => {
		const options = {
			method,
			headers: Object.fromEntries(new Headers(headers)),
			signal: signal ?? undefined,
		};
		request(url, options, (message) => resolve(toResponse(message)))
			.on('error', (error) => reject(signal?.aborted ? signal.reason : error))
			.end(body ?? undefined);
	});
}

function toResponse(message: IncomingMessage): Response {
	const { statusCode: status = 0, statusMessage: statusText = '', headersDistinct } = message;
	const headers = new Headers();
	for (const [name, values = []] of Object.entries(headersDistinct)) {
		for (const value of values) headers.append(name, value);
	}
	if (WITHOUT_BODY.includes(status)) {
		message.resume();
		return new Response(null, { status, statusText, headers });
	}
	const encoding = ENCODINGS[headers.get('content-encoding')?.trim().toLowerCase() ?? ''];
	return new Response(bodyOf(message, encoding), { status, statusText, headers });
}

/** Nothing is read before its reader asks for it. */
function bodyOf(message: IncomingMessage, encoding: Encoding | undefined): ReadableStream {
	let pieces: AsyncIterator<Uint8Array> | undefined;
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				if (!pieces) {
					const sent = await readWhole(message);
					// What comes in pieces leaves turns to others as it is.
					if (sent) await oneATurn(() => setImmediate());
					const whole = sent && decodeWhole(sent, encoding);
					if (whole) {
						controller.enqueue(whole);
						controller.close();
						return;
					}
					pieces = inPieces(sent ? Readable.from([sent]) : message, encoding);
				}
				const { done, value } = await pieces.next();
				if (done) controller.close();
				else controller.enqueue(value);
			},
			cancel() {
				message.destroy();
			},
		},
		{ highWaterMark: 0 },
	);
}

/** The body as it was sent; `undefined` for a large one, which is still to be read. */
function readWhole(message: IncomingMessage): Promise<Buffer | undefined> {
	return new Promise((resolve, reject) => {
		const parts: Buffer[] = [];
		let length = 0;
		const take = (part: Buffer) => {
			parts.push(part);
			length += part.length;
			if (length <= MOST_SENT) return;
			message.off('data', take).pause().unshift(Buffer.concat(parts));
			resolve(undefined);
		};
		// An error that came when nobody listened does not come again.
		if (message.errored) return reject(message.errored);
		message
			.on('data', take)
			.once('end', () => resolve(Buffer.concat(parts, length)))
			.once('error', reject);
	});
}

/** `undefined` for a body that is too large, decompressed. */
function decodeWhole(sent: Buffer, encoding: Encoding | undefined): Uint8Array | undefined {
	if (!encoding || sent.length === 0) return sent;
	try {
		return encoding.decode(sent, { maxOutputLength: MOST_DECODED, chunkSize: encoding.lengthOf?.(sent) });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
		throw error;
	}
}

function inPieces(sent: Readable, encoding: Encoding | undefined): AsyncIterator<Uint8Array> {
	// Who reads hears of an error.
	const read = encoding ? pipeline(sent, encoding.createDecoder(), () => {}) : sent;
	return read[Symbol.asyncIterator]();
}

/** How a body can be compressed. */
interface Encoding {
	readonly decode: (bytes: Uint8Array, options: zlib.ZlibOptions) => Uint8Array;
	readonly createDecoder: () => Transform;
	/** Bytes that a body claims to have, decompressed. */
	readonly lengthOf?: (sent: Buffer) => number;
}

const GZIP: Encoding = { decode: zlib.gunzipSync, createDecoder: zlib.createGunzip, lengthOf: lengthOfGzip };
const ENCODINGS: Readonly<Record<string, Encoding | undefined>> = {
	gzip: GZIP,
	'x-gzip': GZIP,
	deflate: { decode: zlib.inflateSync, createDecoder: zlib.createInflate },
	br: { decode: zlib.brotliDecompressSync, createDecoder: zlib.createBrotliDecompress },
};

/** Statuses that have no body, whatever follows. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

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
