import { bodyWasRead } from '../errors.js';
import { createEventReceiver } from './receive-event.js';
import type { WebhookHandlerOptions } from './webhook-handler-options.js';

/**
 * Creates the function that receives the review service's events. It takes a `Request` and returns a `Response`, on every
 * platform that has both. It answers 202 once the change is recorded; 405, 413, 415, 400 or 401 if the request is not an
 * event of the service; and 503 if the change could not be recorded.
 *
 * @throws WebhookConfigurationError if `verify` is missing or `maxBytes` is not a number. The function rejects with one
 * if a body parser has already read the body.
 * @example
 * export const POST = createWebhookHandler({ verify: standardWebhooks(secret), onChange: ({ pids }) => mark(pids) });
 */
export function createWebhookHandler<Context = unknown>(
	options: WebhookHandlerOptions<Context>,
): (request: Request, context?: Context) => Promise<Response> {
	const receive = createEventReceiver(options);
	return async (request, context) => {
		const { method, headers } = request;
		const { body, ...init } = await receive({
			method,
			headers,
			readBody: (mostBytes) => readBody(request, mostBytes),
			context,
		});
		return new Response(body, init);
	};
}

/**
 * Reads the body of a request as bytes. Stops and returns `undefined` if it is longer than allowed.
 * @throws WebhookConfigurationError if the body was already read.
 */
async function readBody(request: Request, mostBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
	if (request.bodyUsed) throw bodyWasRead();
	const announced = Number(request.headers.get('content-length') ?? 0);
	if (announced > mostBytes) {
		await request.body?.cancel();
		return undefined;
	}
	const pieces: Uint8Array[] = [];
	let length = 0;
	const reader = request.body?.getReader();
	for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
		length += piece.value.length;
		if (length > mostBytes) {
			await reader?.cancel();
			return undefined;
		}
		pieces.push(piece.value);
	}
	const body = new Uint8Array(length);
	let at = 0;
	for (const piece of pieces) {
		body.set(piece, at);
		at += piece.length;
	}
	return body;
}
