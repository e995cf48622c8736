import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import { decodeInPieces, decodeWhole, type Encoding, encodingOf } from './decode-body.js';

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
