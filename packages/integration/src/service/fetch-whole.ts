import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline, Readable, type Transform } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import * as zlib from 'node:zlib';
import pLimit from 'p-limit';

/** Maximum size of a body that is read whole, as sent, in bytes: a hundred times that of most products. */
const MOST_SENT = 512 * 1_024;

// Each body is decompressed, and then read by its consumer, in its own turn of the event loop. Otherwise six answers
// that arrive together would delay the next six requests. Bodies that wait for their turn stay compressed.
const oneATurn = pLimit(1);

/**
 * A `fetch` on top of Node's HTTP client, with only what the client of the service needs: request bodies are text, and
 * redirects are not followed. A small body is read and decompressed in one go, which takes a third of the CPU time of
 * the built-in `fetch`, whose streams do both piece by piece. A larger one is streamed, and takes no more memory than
 * its reader allows.
 *
 * Uses Node's proxies (`NODE_USE_ENV_PROXY`) and certificates (`NODE_EXTRA_CA_CERTS`).
 *
 * @throws Error of the connection, with its `code`, or the reason of the signal.
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
		request(url, options, (message) => {
			// An error thrown here would be uncaught, and end the thread.
			try {
				resolve(toResponse(message));
			} catch (error) {
				message.destroy();
				reject(error);
			}
		})
			.on('error', (error) => reject(signal?.aborted ? signal.reason : error))
			.end(body ?? undefined);
	});
}

function toResponse(message: IncomingMessage): Response {
	const { statusCode: status = 0, statusMessage = '', rawHeaders } = message;
	const statusText = statusMessage.replace(NOT_IN_REASON, '');
	const headers: [string, string][] = [];
	for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
		headers.push([rawHeaders[index] as string, rawHeaders[index + 1] as string]);
	}
	if (WITHOUT_BODY.includes(status)) {
		message.resume();
		return new Response(null, { status, statusText, headers });
	}
	const body = bodyOf(message, encodingOf(message.headers['content-encoding']));
	if (status >= LEAST_STATUS && status <= MOST_STATUS) {
		return new Response(body, { status, statusText, headers });
	}
	// The built-in fetch returns such statuses, too, but the constructor does not accept them.
	const response = new Response(body, { status: MOST_STATUS, statusText, headers });
	return Object.defineProperty(response, 'status', { value: status });
}

/** Reads nothing before its consumer does. */
function bodyOf(message: IncomingMessage, encoding: Encoding | undefined): ReadableStream {
	let pieces: AsyncIterator<Uint8Array> | undefined;
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				if (!pieces) {
					const sent = await readWhole(message);
					// A streamed body yields to others anyway.
					if (sent) await oneATurn(() => setImmediate());
					const whole = sent && decodeWhole(sent, encoding);
					if (whole) {
						controller.enqueue(whole);
						controller.close();
						return;
					}
					pieces = decodeInPieces(sent ? Readable.from([sent]) : message, encoding);
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

/** The body as sent; `undefined` if it is large, in which case it is still to be read. */
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
		// An error emitted before there was a listener is not emitted again.
		if (message.errored) return reject(message.errored);
		if (message.destroyed && !message.readableEnded) return reject(new Error('The answer was cut short.'));
		message
			.on('data', take)
			.once('end', () => resolve(Buffer.concat(parts, length)))
			.once('error', reject);
	});
}

/** Statuses that `new Response` accepts. */
const LEAST_STATUS = 200;
const MOST_STATUS = 599;

/** Bytes that a reason phrase must not contain (RFC 9112, 4), but that Node's parser lets through. */
const NOT_IN_REASON = /[^\t\x20-\x7e\x80-\xff]/g;

/** Statuses without a body, whatever the server sends. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];

/** A compression format of a body. */
interface Encoding {
	readonly decode: (bytes: Uint8Array, options: zlib.ZlibOptions) => Uint8Array;
	readonly createDecoder: () => Transform;
	/** The decompressed length that a body claims, in bytes. */
	readonly lengthOf?: (sent: Buffer) => number;
}

/** Maximum decompressed size of a body that is decompressed in one go, in bytes. */
const MOST_DECODED = 8 * 1_024 * 1_024;

/** @param header `content-encoding`. @returns `undefined` for an uncompressed body. */
function encodingOf(header: string | undefined): Encoding | undefined {
	return ENCODINGS.get(header?.trim().toLowerCase() ?? '');
}

/** Decompresses a body in one go; `undefined` if it is too large for that. @throws Error if it is damaged. */
function decodeWhole(sent: Buffer, encoding: Encoding | undefined): Uint8Array | undefined {
	if (!encoding || sent.length === 0) return sent;
	try {
		return encoding.decode(sent, { maxOutputLength: MOST_DECODED, chunkSize: encoding.lengthOf?.(sent) });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return undefined;
		throw error;
	}
}

/** Decompresses a body piece by piece. */
function decodeInPieces(sent: Readable, encoding: Encoding | undefined): AsyncIterator<Uint8Array> {
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
