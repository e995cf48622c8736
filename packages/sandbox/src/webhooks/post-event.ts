import type { Random } from '../seed/random.js';
import { readRetryAfter } from './read-retry-after.js';
import { signEvent } from './sign-event.js';
import type { WebhookDelivery } from './webhook-event.js';
import type { Webhook } from './webhook-input.js';

/** What sending needs of the world. */
export interface PostEffects {
	readonly fetch: typeof fetch;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Decides which signatures are wrong. */
	readonly random: Random;
}

/** How one try went. */
export interface PostOutcome extends Pick<WebhookDelivery, 'status' | 'error' | 'badSignature' | 'ms'> {
	/** Milliseconds that the receiver asks to wait before the next try; 0 where it does not ask. */
	readonly retryAfter: number;
}

/**
 * Sends an event once, with the time and signature of now. Never rejects.
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
	// A wrong signature is that of another body: only a receiver that computes it can tell.
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
			// A redirect could lead away from this machine; to the sender it is an answer other than 2xx.
			redirect: 'manual',
			signal: AbortSignal.any([limit, signal]),
		});
		// The status says all. The rest is read away without waiting for it, so that the connection can serve again.
		response.body?.pipeTo(new WritableStream()).catch(() => {});
		return outcome(response.status, null, readRetryAfter(response.headers.get('retry-after'), now()));
	} catch {
		if (signal.aborted) return outcome(null, 'ended');
		return outcome(null, limit.aborted ? 'time limit' : 'connection');
	}
}
