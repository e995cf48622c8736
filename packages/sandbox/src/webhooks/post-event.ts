import type { Random } from '../seed/random.js';
import { readRetryAfter } from './read-retry-after.js';
import { signEvent } from './sign-event.js';
import type { WebhookDelivery } from './webhook-event.js';
import type { Webhook } from './webhook-input.js';

/** Dependencies of sending an event. */
export interface PostEffects {
	readonly fetch: typeof fetch;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Decides which signatures are wrong. */
	readonly random: Random;
}

/** Outcome of one attempt. */
export interface PostOutcome extends Pick<WebhookDelivery, 'status' | 'error' | 'badSignature' | 'ms'> {
	/** Pause that the receiver requests before the next attempt, in milliseconds; 0 if it requests none. */
	readonly retryAfter: number;
}

/**
 * Sends an event once, with a current timestamp and signature. Never rejects.
 *
 * @param signal Ends the request when it aborts.
 */
export async function postEvent(
	webhook: Webhook,
	id: string,
	body: string,
	signal: AbortSignal,
	{ fetch, now, random }: PostEffects,
): Promise<PostOutcome> {
	const timestamp = Math.floor(now() / 1_000);
	const badSignature = random.chance(webhook.badSignatures);
	// A wrong signature is one for a different body, so only a receiver that verifies it notices.
	const signature = signEvent(webhook.secret, { id, timestamp, body: badSignature ? `${body} ` : body });
	const limit = AbortSignal.timeout(webhook.timeLimit);
	const start = performance.now();
	const outcome = (status: number | null, error: PostOutcome['error'], retryAfter = 0): PostOutcome => ({
		status,
		error,
		badSignature,
		ms: performance.now() - start,
		retryAfter,
	});
	try {
		const response = await fetch(webhook.url, {
			method: 'POST',
			headers: {
				'content-type': 'application/json',
				'user-agent': 'product-reviews-sandbox',
				'webhook-id': id,
				'webhook-timestamp': String(timestamp),
				'webhook-signature': signature,
			},
			body,
			// A redirect could lead to another machine. It counts as a failure, like any status other than 2xx.
			redirect: 'manual',
			signal: AbortSignal.any([limit, signal]),
		});
		// Only the status matters. The body is drained in the background so that the connection can be reused.
		response.body?.pipeTo(new WritableStream()).catch(() => {});
		return outcome(response.status, null, readRetryAfter(response.headers.get('retry-after'), now()));
	} catch {
		if (signal.aborted) return outcome(null, 'ended');
		return outcome(null, limit.aborted ? 'time limit' : 'connection');
	}
}
