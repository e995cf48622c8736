import { randomBytes } from 'node:crypto';
import { InvalidInputError, NotFoundError, readInput } from '../editing/errors.js';
import { createSender, type Sender, type SenderEffects } from './create-sender.js';
import { isLoopback } from './is-loopback.js';
import type { WebhookDelivery } from './webhook-event.js';
import { type Webhook, webhookInput } from './webhook-input.js';
import type { WebhookSender } from './webhooks.js';

/** Dependencies of a sandbox's webhooks. */
export interface WebhookEffects extends Omit<SenderEffects, 'record' | 'gone'> {
	/** Whether URLs of other machines may be registered. */
	readonly allowRemote: boolean;
	/** Called with the record of each attempt. */
	readonly onDelivery: (delivery: WebhookDelivery) => void;
}

/** Creates the webhooks of one sandbox. */
export function createWebhooks(effects: WebhookEffects): WebhookSender {
	const { allowRemote, now, onDelivery } = effects;
	const senders = new Map<string, Sender>();
	const deliveries: WebhookDelivery[] = [];
	const pending = new Set<Promise<void>>();

	const list = () => [...senders.values()].map(({ webhook }) => webhook);

	const end = (id: string) => {
		senders.get(id)?.end();
		senders.delete(id);
	};

	const record = (delivery: WebhookDelivery) => {
		deliveries.push(delivery);
		onDelivery(delivery);
	};

	const settled = async () => {
		while (pending.size > 0) await Promise.all(pending);
	};

	return {
		add(input) {
			const { secret = makeSecret(), ...settings } = readInput(webhookInput, input);
			checkAddress(settings.url, list(), allowRemote);
			const { retries = settings.retryDelays.length } = settings;
			const id = makeId('wh');
			const webhook = Object.freeze({ ...settings, id, secret, retries });
			senders.set(id, createSender(webhook, { ...effects, record, gone: () => end(id) }));
			return webhook;
		},
		list,
		remove(id) {
			if (!senders.has(id)) throw new NotFoundError(`There is no webhook "${id}".`);
			end(id);
		},
		get deliveries() {
			return [...deliveries];
		},
		settled,
		send(type, pid) {
			const event = { id: makeId('msg'), type, pid, timestamp: new Date(now()).toISOString() };
			for (const sender of senders.values()) {
				const sending = sender.send(event).finally(() => pending.delete(sending));
				pending.add(sending);
			}
		},
		close() {
			for (const id of [...senders.keys()]) end(id);
			return settled();
		},
	};
}

function makeSecret(): string {
	return `whsec_${randomBytes(32).toString('base64')}`;
}

function makeId(kind: string): string {
	return `${kind}_${randomBytes(12).toString('hex')}`;
}

/**
 * Checks that events may be sent to a URL. The sandbox must not send anything to another machine by accident.
 *
 * @throws {InvalidInputError} If they may not, or if the URL is already registered.
 */
function checkAddress(url: string, registered: readonly Webhook[], allowRemote: boolean): void {
	const { href, host } = new URL(url);
	if (!allowRemote && !isLoopback(url)) {
		throw new InvalidInputError(
			`url: "${host}" is not this machine. Webhooks are only sent to localhost, 127.0.0.1 or [::1], unless the sandbox is started with allowRemoteWebhooks (--allow-remote-webhooks).`,
		);
	}
	if (registered.some((webhook) => new URL(webhook.url).href === href)) {
		throw new InvalidInputError(`url: this URL of "${host}" is already registered.`);
	}
}
