import { readBody } from './read-body.js';
import { createEventReceiver } from './receive-event.js';
import type { WebhookHandlerOptions } from './webhook-handler-options.js';

/**
 * Makes the function that receives the review service's events: a `Request` in, a `Response` out, on every platform that
 * has both. It answers 202 once the change is taken down, 405, 413, 415, 400 and 401 for what is no event of the service,
 * and 503 where the change could not be taken down.
 *
 * @throws WebhookConfigurationError where `verify` is missing or `maxBytes` is no number; the function rejects with one where
 * a body parser has read the body before.
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
