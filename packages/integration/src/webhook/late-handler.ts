import { WebhookConfigurationError } from 'product-reviews-webhook';

/** Answers a request. @param context what else belongs to it. */
export type Handler<Context> = (request: Request, context?: Context) => Promise<Response>;

/**
 * A handler that is made when the first request comes: some platforms have no secrets before. Until it can be made,
 * requests are answered 503, so that the sender tries again.
 *
 * @param make throws WebhookConfigurationError where something is not set up.
 * @param warn hears of that.
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
			warn(`The webhook is not set up, and no event is taken: ${error.message}`);
			return Response.json(
				{ error: 'Events cannot be taken yet. Send it again.' },
				{ status: 503, headers: { 'cache-control': 'no-store', 'retry-after': '30' } },
			);
		}
		return handler(request, context);
	};
}
