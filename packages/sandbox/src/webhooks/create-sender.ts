import { createDisorder } from './create-disorder.js';
import { createLimit } from './create-limit.js';
import { type DeliverEffects, deliverEvent } from './deliver-event.js';
import { eventBody } from './event-body.js';
import type { WebhookEvent } from './webhook-event.js';
import type { Webhook } from './webhook-input.js';

/** Maximum number of concurrent requests to one URL. */
const MOST_IN_FLIGHT = 4;

/** Dependencies of a sender. */
export interface SenderEffects extends Omit<DeliverEffects, 'limit' | 'signal'> {
	/** Website id. */
	readonly wsid: string;
}

/** Sends events to one URL. */
export interface Sender {
	readonly webhook: Webhook;
	/** Sends an event and its copies. Resolves when they were accepted or given up; never rejects. */
	send(event: WebhookEvent): Promise<void>;
	/** Ends all requests and pauses immediately. */
	end(): void;
}

/** Creates the sender of one registration. */
export function createSender(webhook: Webhook, effects: SenderEffects): Sender {
	const ending = new AbortController();
	const { signal } = ending;
	const limit = createLimit(MOST_IN_FLIGHT);
	const turn = createDisorder(webhook.disorder, effects.random, signal);

	const sendCopy = async (event: WebhookEvent, body: string, copy: number) => {
		// Even without disorder, this lets the edit be answered before anything is sent.
		await turn();
		await deliverEvent(webhook, event, copy, body, { ...effects, limit, signal });
	};

	return {
		webhook,
		async send(event) {
			const body = eventBody(event, effects.wsid, webhook.shape);
			const copies = Array.from({ length: 1 + webhook.duplicates }, (_, copy) => copy);
			await Promise.all(copies.map((copy) => sendCopy(event, body, copy)));
		},
		end: () => ending.abort(),
	};
}
