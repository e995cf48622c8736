import { randomBytes } from 'node:crypto';
import { plainText } from '../http/http.js';
import { NotFoundError, readInput } from '../records.js';
import type { Random } from '../seed/random.js';
import { Sender } from './sender.js';
import {
	checkAddress,
	type NewWebhook,
	type Webhook,
	type WebhookDelivery,
	type WebhookEventType,
	webhookInput,
} from './webhook.js';

interface WebhookSettings {
	/** Website id. */
	readonly wsid: string;
	/** Whether URLs of other machines may be registered. */
	readonly allowRemote: boolean;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Decides about the order, and which signatures are wrong. */
	readonly random: Random;
	/** Called with a line for each attempt. */
	readonly log: (line: string) => void;
}

/** URLs that are notified of every edit, with requests signed according to Standard Webhooks 1.0.0. */
export class Webhooks {
	readonly #settings: WebhookSettings;
	readonly #senders = new Map<string, Sender>();
	readonly #deliveries: WebhookDelivery[] = [];
	readonly #pending = new Set<Promise<void>>();

	constructor(settings: WebhookSettings) {
		this.#settings = settings;
	}

	/**
	 * Registers a URL, which is notified of every edit from now on.
	 *
	 * @throws {InvalidInputError} If a setting is invalid, if the URL is already registered, or if it belongs to another
	 * machine and `allowRemoteWebhooks` is not set.
	 * @example
	 * const { secret } = sandbox.webhooks.add({ url: 'http://localhost:4321/api/reviews', duplicates: 1 });
	 */
	add(settings: NewWebhook): Webhook {
		const { secret = makeSecret(), ...given } = readInput(webhookInput, settings);
		checkAddress(given.url, this.list(), this.#settings.allowRemote);
		const { retries = given.retryDelays.length } = given;
		const id = makeId('wh');
		const webhook = Object.freeze({ ...given, id, secret, retries });
		const record = (delivery: WebhookDelivery) => {
			this.#deliveries.push(delivery);
			this.#settings.log(logLine(delivery));
		};
		const gone = () => this.#end(id);
		this.#senders.set(id, new Sender(webhook, { ...this.#settings, record, gone }));
		return webhook;
	}

	/** In the order they were added. */
	list(): readonly Webhook[] {
		return [...this.#senders.values()].map(({ webhook }) => webhook);
	}

	/**
	 * Ends a registration; pending events are dropped.
	 *
	 * @throws {NotFoundError} If there is none with that id.
	 */
	remove(id: string): void {
		if (!this.#senders.has(id)) throw new NotFoundError(`There is no webhook "${id}".`);
		this.#end(id);
	}

	/** Every attempt to send, in the order they ended. */
	get deliveries(): readonly WebhookDelivery[] {
		return [...this.#deliveries];
	}

	/** Resolves when nothing is left to send: no running request, no event held back, no pause. */
	async settled(): Promise<void> {
		while (this.#pending.size > 0) await Promise.all(this.#pending);
	}

	/** Notifies every URL of an edit, in the background. */
	send(type: WebhookEventType, pid: string): void {
		const timestamp = new Date(this.#settings.now()).toISOString();
		const event = { id: makeId('msg'), type, pid, timestamp };
		for (const sender of this.#senders.values()) {
			const sending = sender.send(event).finally(() => this.#pending.delete(sending));
			this.#pending.add(sending);
		}
	}

	/** Ends all registrations with their requests and pauses. */
	close(): Promise<void> {
		for (const id of [...this.#senders.keys()]) this.#end(id);
		return this.settled();
	}

	#end(id: string): void {
		this.#senders.get(id)?.end();
		this.#senders.delete(id);
	}
}

function makeSecret(): string {
	return `whsec_${randomBytes(32).toString('base64')}`;
}

function makeId(kind: string): string {
	return `${kind}_${randomBytes(12).toString('hex')}`;
}

/**
 * Formats one line for an attempt: `webhook review.created pid=p-1 to localhost:4321 202 4 ms`. It shows only the host of
 * the URL, because the rest may contain a key.
 */
function logLine(delivery: WebhookDelivery): string {
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
