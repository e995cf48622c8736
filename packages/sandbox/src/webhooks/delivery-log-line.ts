import { plainText } from '../server/plain-text.js';
import type { WebhookDelivery } from './webhook-event.js';

/**
 * Formats one line for an attempt: `webhook review.created pid=p-1 to localhost:4321 202 4 ms`. It shows only the host of
 * the URL, because the rest may contain a key.
 */
export function deliveryLogLine(delivery: WebhookDelivery): string {
	const { type, pid, url, status, error, attempt, copy, badSignature, ms } = delivery;
	const parts = [
		`webhook ${type}`,
		`pid=${plainText(pid)}`,
		`to ${new URL(url).host}`,
		status === null ? `no answer (${error})` : String(status),
		`${Math.round(ms)} ms`,
		attempt > 1 ? `attempt=${attempt}` : '',
		copy > 0 ? `copy=${copy}` : '',
		badSignature ? 'bad-signature' : '',
	];
	return parts.filter((part) => part !== '').join(' ');
}
