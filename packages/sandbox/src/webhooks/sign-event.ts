import { createHmac } from 'node:crypto';

/** The signed content, according to Standard Webhooks 1.0.0. */
export interface SignedContent {
	/** `webhook-id`. */
	readonly id: string;
	/** `webhook-timestamp`: seconds since 1970. */
	readonly timestamp: number;
	readonly body: string;
}

/**
 * Signs a request. Returns the value of `webhook-signature`.
 *
 * @param secret `whsec_` followed by the base64 of the key.
 */
export function signEvent(secret: string, { id, timestamp, body }: SignedContent): string {
	const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
	return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
