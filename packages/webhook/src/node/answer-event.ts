import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReceiveEvent } from '../handler/receive-event.js';
import { drain } from './drain.js';
import { toHeaders } from './to-headers.js';

/**
 * Answers an event from `node:http` without creating a `Request` and a `Response`, which would take more time than
 * everything else.
 * @param onError must not throw.
 * @throws never: if `receive` throws, the error is reported and the response is 503, so that the event is sent again.
 */
export async function answerEvent(
	receive: ReceiveEvent,
	incoming: IncomingMessage,
	outgoing: ServerResponse,
	onError: (error: unknown) => void,
): Promise<void> {
	try {
		const { method = '' } = incoming;
		const readBody = (mostBytes: number) => readBytes(incoming, mostBytes);
		const { status, headers, body } = await receive({ method, headers: toHeaders(incoming), readBody });
		const length = Buffer.byteLength(body);
		outgoing.writeHead(status, { ...headers, 'content-length': length }).end(body);
	} catch (error) {
		// A sender that disconnected is not worth reporting.
		if (incoming.complete || !incoming.destroyed) onError(error);
		if (!outgoing.headersSent) outgoing.writeHead(503, { 'retry-after': '30' }).end();
	}
	drain(incoming);
}

/** Reads the body. Stops collecting it and resolves to `undefined` if it is longer than allowed. */
function readBytes(
	incoming: IncomingMessage,
	mostBytes: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
	if (Number(incoming.headers['content-length'] ?? 0) > mostBytes) return Promise.resolve(undefined);
	return new Promise((resolve, reject) => {
		const pieces: Uint8Array[] = [];
		let length = 0;
		const onData = (piece: Uint8Array) => {
			length += piece.length;
			if (length <= mostBytes) pieces.push(piece);
			else {
				incoming.off('data', onData);
				resolve(undefined);
			}
		};
		incoming.on('data', onData);
		incoming.once('end', () => resolve(Buffer.concat(pieces)));
		incoming.once('error', reject);
		incoming.once('close', () => {
			if (!incoming.complete) reject(new Error('The sender disconnected.'));
		});
	});
}
