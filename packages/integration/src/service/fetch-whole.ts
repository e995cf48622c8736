import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import { decodeInPieces, decodeWhole, type Encoding, encodingOf } from './decode-body.js';

/** Bytes of a body, as sent, that are read whole: a hundred times what most products have. */
const MOST_SENT = 512 * 1_024;

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
		request(url, options, (message) => {
			// What is thrown in here would reach nobody, and end the thread.
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
	// The built-in fetch gives such statuses, too; only the constructor does not take them.
	const response = new Response(body, { status: MOST_STATUS, statusText, headers });
	return Object.defineProperty(response, 'status', { value: status });
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
		if (message.destroyed && !message.readableEnded) return reject(new Error('The answer was cut short.'));
		message
			.on('data', take)
			.once('end', () => resolve(Buffer.concat(parts, length)))
			.once('error', reject);
	});
}

/** Statuses that `new Response` takes. */
const LEAST_STATUS = 200;
const MOST_STATUS = 599;

/** Bytes that may not stand in a reason phrase (RFC 9112, 4), and that Node's parser lets through. */
const NOT_IN_REASON = /[^\t\x20-\x7e\x80-\xff]/g;

/** Statuses that have no body, whatever follows. */
const WITHOUT_BODY: readonly number[] = [204, 205, 304];
