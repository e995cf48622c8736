import type { WebhookDelivery, WebhookEventType } from './webhook-event.js';
import type { NewWebhook, Webhook } from './webhook-input.js';

/** URLs that are notified of every edit, with requests signed according to Standard Webhooks 1.0.0. */
export interface Webhooks {
	/**
	 * Registers a URL, which is notified of every edit from now on.
	 *
	 * @throws {InvalidInputError} If a setting is invalid, if the URL is already registered, or if it belongs to another
	 * machine and `allowRemoteWebhooks` is not set.
	 * @example
	 * const { secret } = sandbox.webhooks.add({ url: 'http://localhost:4321/api/reviews', duplicates: 1 });
	 */
	add(webhook: NewWebhook): Webhook;
	/** In the order they were added. */
	list(): readonly Webhook[];
	/**
	 * Ends a registration; pending events are dropped.
	 *
	 * @throws {NotFoundError} If there is none with that id.
	 */
	remove(id: string): void;
	/** Every attempt to send, in the order they ended. */
	readonly deliveries: readonly WebhookDelivery[];
	/** Resolves when nothing is left to send: no running request, no event held back, no pause. */
	settled(): Promise<void>;
}

/** The part of the webhooks that only the sandbox uses. */
export interface WebhookSender extends Webhooks {
	/** Notifies every URL of an edit, in the background. */
	send(type: WebhookEventType, pid: string): void;
	/** Ends all registrations with their requests and pauses. */
	close(): Promise<void>;
}
