import type { IncomingMessage } from 'node:http';
import { HttpError } from './http-error.js';

/** 1 MB, far more than any documented request. */
const MAXIMUM_BYTES = 1_048_576;

/**
 * Reads the body of a request as UTF-8 text.
 *
 * @throws {HttpError} 413 for more than 1 MB, 400 for bytes that are not UTF-8.
 */
export async function readBody(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		size += chunk.length;
		// The excess is read and discarded: a caller that is cut off while sending never sees the response.
		if (size <= MAXIMUM_BYTES) chunks.push(chunk);
	}
	if (size > MAXIMUM_BYTES) throw new HttpError(413, `The body is larger than ${MAXIMUM_BYTES} bytes.`);
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
	} catch {
		throw new HttpError(400, 'The body is not valid UTF-8.');
	}
}
