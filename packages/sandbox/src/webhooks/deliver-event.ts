import { setTimeout as sleep } from 'node:timers/promises';
import type { Limit } from './create-limit.js';
import { type PostEffects, postEvent } from './post-event.js';
import type { WebhookDelivery, WebhookEvent } from './webhook-event.js';
import type { Webhook } from './webhook-input.js';

/** Status with which a receiver declines further events. */
const GONE = 410;

/** Dependencies of a delivery. */
export interface DeliverEffects extends PostEffects {
	readonly limit: Limit;
	/** Aborts when the registration or the sandbox ends: nothing more is sent. */
	readonly signal: AbortSignal;
	/** Called with the record of each attempt. */
	readonly record: (delivery: WebhookDelivery) => void;
	/** Called when the receiver declines further events. */
	readonly gone: () => void;
}

/**
 * Sends an event until it is accepted, the attempts are used up, or the registration ends. Every attempt has the same id
 * and body, but its own timestamp and signature. It only occupies a slot of the limit while a request runs.
 */
export async function deliverEvent(
	webhook: Webhook,
	event: WebhookEvent,
	copy: number,
	body: string,
	effects: DeliverEffects,
): Promise<void> {
	const { limit, signal, record, gone } = effects;
	const { id, type, pid } = event;
	for (let attempt = 1; ; attempt += 1) {
		const outcome = await limit(async () => {
			return signal.aborted ? undefined : postEvent(webhook, id, body, signal, effects);
		});
		if (!outcome) return;
		const { retryAfter, ...result } = outcome;
		record({ webhook: webhook.id, event: id, type, pid, url: webhook.url, copy, attempt, ...result });
		if (result.status !== null && result.status >= 200 && result.status < 300) return;
		if (result.status === GONE) return gone();
		if (attempt > webhook.retries) return;
		await pause(Math.max(pauseAfter(attempt, webhook.retryDelays), retryAfter), signal);
	}
}

function pauseAfter(attempt: number, delays: readonly number[]): number {
	return delays[Math.min(attempt, delays.length) - 1] ?? 0;
}

/** Waits, or returns at once when the signal aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
	await sleep(ms, undefined, { signal }).catch(() => {});
}
