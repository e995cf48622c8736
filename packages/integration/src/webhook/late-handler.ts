import { WebhookConfigurationError } from 'product-reviews-webhook';

/** Answers a request. @param context whatever else belongs to it. */
export type Handler<Context> = (request: Request, context?: Context) => Promise<Response>;

/**
 * A handler that is created on the first request, since some platforms have no secrets before. Until it can be created,
 * requests are answered with 503, so the sender retries.
 *
 * @param make throws WebhookConfigurationError if something is not set up.
 * @param warn called with that error's message.
 */
export function lateHandler<Context>(
	make: () => Handler<Context>,
	warn: (message: string) => void,
): Handler<Context> {
	let handler: Handler<Context> | undefined;
	return async (request, context) => {
		try {
			handler ??= make();
		} catch (error) {
			if (!(error instanceof WebhookConfigurationError)) throw error;
			warn(`The webhook is not set up, so events are rejected: ${error.message} [${error.code}]`);
			return Response.json(
				{ error: 'The webhook is not set up yet. Send the event again later.' },
				{ status: 503, headers: { 'cache-control': 'no-store', 'retry-after': '30' } },
			);
		}
		return handler(request, context);
	};
}
