import type { WebhookDelivery, WebhookEventType } from './webhook-event.js';
import type { NewWebhook, Webhook } from './webhook-input.js';

/** Addresses that are told of every edit, by requests signed as Standard Webhooks 1.0.0 describes. */
export interface Webhooks {
	/**
	 * Registers an address: it is told of every edit from now on.
	 *
	 * @throws {InvalidInputError} When a setting does not fit, when the address is registered already, and when it is
	 * another machine's without `allowRemoteWebhooks`.
	 * @example
	 * const { secret } = sandbox.webhooks.add({ url: 'http://localhost:4321/api/reviews', duplicates: 1 });
	 */
	add(webhook: NewWebhook): Webhook;
	/** In the order in which they were added. */
	list(): readonly Webhook[];
	/**
	 * Ends a registration; what was still to be sent to it is dropped.
	 *
	 * @throws {NotFoundError} When there is none of that id.
	 */
	remove(id: string): void;
	/** Every try to send, in the order in which they ended. */
	readonly deliveries: readonly WebhookDelivery[];
	/** Resolves when nothing is left to send: no request runs, no event is held back, no pause lasts. */
	settled(): Promise<void>;
}

/** What the sandbox uses besides. */
export interface WebhookSender extends Webhooks {
	/** Tells every address of an edit, in the background. */
	send(type: WebhookEventType, pid: string): void;
	/** Ends all registrations, and all requests and pauses with them. */
	close(): Promise<void>;
}
