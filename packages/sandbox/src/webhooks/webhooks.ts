import { randomBytes } from 'node:crypto';
import { isLoopback, plainText } from '../http/http.js';
import { InvalidInputError, NotFoundError, readInput } from '../records.js';
import type { Random } from '../seed/random.js';
import { createSender, type Sender } from './sender.js';
import {
	type NewWebhook,
	type Webhook,
	type WebhookDelivery,
	type WebhookEventType,
	webhookInput,
} from './webhook.js';

interface WebhookSettings {
	readonly wsid: string;
	readonly apiKey: string;
	/** Whether URLs of other machines may be registered. */
	readonly allowRemote: boolean;
	readonly now: () => number;
	readonly random: Random;
	readonly log: (line: string) => void;
}

/** URLs that are notified of every edit, by default with requests signed according to Standard Webhooks 1.0.0. */
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
		const given = readInput(webhookInput, settings);
		this.#checkAddress(given.url);
		const { secret = `whsec_${randomBytes(32).toString('base64')}`, retries = given.retryDelays.length } =
			given;
		const id = makeId('wh');
		const webhook = Object.freeze({ ...given, id, secret, retries });
		const record = (delivery: WebhookDelivery) => {
			this.#deliveries.push(delivery);
			this.#settings.log(logLine(delivery));
		};
		const { apiKey, now, random } = this.#settings;
		this.#senders.set(id, createSender(webhook, { apiKey, now, random, record, gone: () => this.#end(id) }));
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

	/** Notifies every URL in the background: of an edit, or of an event that is about no product. */
	send(type: WebhookEventType, pid: string | null = null): void {
		const { wsid, now } = this.#settings;
		const event = makeId('msg');
		const timestamp = new Date(now()).toISOString();
		for (const { webhook, send } of this.#senders.values()) {
			const { ids, keyHeader, signed = !keyHeader } = webhook;
			const content = { type, ...(signed && { timestamp }), data: { wsid } };
			const path = pid === null || ids === '' ? [] : ids.split('.');
			const body = JSON.stringify(path.length > 0 ? withValue(content, path, pid) : content);
			const sending = send({ event, type, pid, body }).finally(() => this.#pending.delete(sending));
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

	/** The sandbox must not send anything to another machine by accident. */
	#checkAddress(url: string): void {
		const { href, host } = new URL(url);
		if (!this.#settings.allowRemote && !isLoopback(url)) {
			throw new InvalidInputError(
				`url: "${host}" is not this machine. Webhooks are only sent to localhost, 127.0.0.1 or [::1], unless the sandbox is started with allowRemoteWebhooks (--allow-remote-webhooks).`,
			);
		}
		if (this.list().some((webhook) => new URL(webhook.url).href === href)) {
			throw new InvalidInputError(`url: this URL of "${host}" is already registered.`);
		}
	}
}

/** A copy of a value with another one at a path. */
function withValue(value: unknown, [name, ...rest]: readonly string[], given: unknown): unknown {
	if (name === undefined) return given;
	const parent = value ?? (/^\d+$/.test(name) ? [] : {});
	const changed = withValue((parent as Record<string, unknown>)[name], rest, given);
	return Array.isArray(parent) ? [...parent, changed] : { ...parent, [name]: changed };
}

function makeId(kind: string): string {
	return `${kind}_${randomBytes(12).toString('hex')}`;
}

/** `webhook review.created pid=p-1 to localhost:4321 202 4 ms`: only the host of the URL, because the rest may contain a key. */
function logLine({ type, pid, url, status, error, attempt, copy, ms }: WebhookDelivery): string {
	const outcome = status === null ? `no answer (${error})` : String(status);
	const line = `webhook ${type} ${pid === null ? '' : `pid=${plainText(pid)} `}to ${new URL(url).host} ${outcome} ${Math.round(ms)} ms`;
	return line + (attempt > 1 ? ` attempt=${attempt}` : '') + (copy > 0 ? ` copy=${copy}` : '');
}
