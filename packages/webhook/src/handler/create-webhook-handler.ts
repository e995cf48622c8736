import { readBody } from './read-body.js';
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
