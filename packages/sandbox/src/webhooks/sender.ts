import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Random } from '../seed/random.js';
import { LONGEST_PAUSE, type Webhook, type WebhookDelivery, type WebhookEventType } from './webhook.js';

const MAXIMUM_IN_FLIGHT = 4;

/** Status with which a receiver declines further events. */
const GONE = 410;

/** One event about one product. It never contains anything from the review or question itself. */
export interface WebhookEvent {
	/** `webhook-id`: the same for every attempt and every copy. */
	readonly id: string;
	readonly type: WebhookEventType;
	readonly pid: string;
	readonly body: string;
}

interface SenderOptions {
	readonly now: () => number;
	readonly random: Random;
	readonly record: (delivery: WebhookDelivery) => void;
	/** Called when the receiver declines further events. */
	readonly gone: () => void;
}

/** Sends events to one URL. */
export class Sender {
	readonly webhook: Webhook;
	readonly #options: SenderOptions;
	readonly #ending = new AbortController();
	readonly #limit = pLimit(MAXIMUM_IN_FLIGHT);
	readonly #held: (() => void)[] = [];

	constructor(webhook: Webhook, options: SenderOptions) {
		this.webhook = webhook;
		this.#options = options;
	}

	/** Sends an event and its copies. Resolves when they were accepted or given up; never rejects. */
	async send(event: WebhookEvent): Promise<void> {
		const copies = Array.from({ length: 1 + this.webhook.duplicates }, async (_, copy) => {
			// Even without disorder, this lets the edit be answered before anything is sent.
			await this.#turn();
			await this.#deliver(event, copy);
		});
		await Promise.all(copies);
	}

	/** Ends all requests and pauses immediately. */
	end(): void {
		this.#ending.abort();
	}

	async #turn(): Promise<void> {
		const { disorder } = this.webhook;
		if (!disorder) return;
		const { promise, resolve } = Promise.withResolvers<void>();
		if (this.#held.push(resolve) === 1) {
			const { signal } = this.#ending;
			void sleep(disorder.ms, undefined, { signal })
				.catch(() => {})
				.then(() => {
					for (const resume of this.#options.random.shuffle(this.#held.splice(0))) resume();
				});
		}
		await promise;
	}

	/**
	 * Sends an event until it is accepted, the attempts are used up, or the registration ends. Every attempt has the same id
	 * and body, but its own timestamp and signature. It only occupies a slot of the limit while a request runs.
	 */
	async #deliver({ id: event, type, pid, body }: WebhookEvent, copy: number): Promise<void> {
		const { id, url, retries, retryDelays } = this.webhook;
		const { signal } = this.#ending;
		for (let attempt = 1; ; attempt += 1) {
			const outcome = await this.#limit(() => (signal.aborted ? undefined : this.#post(event, body)));
			if (!outcome) return;
			const { retryAfter, ...result } = outcome;
			this.#options.record({ webhook: id, event, type, pid, url, copy, attempt, ...result });
			if (result.status !== null && result.status >= 200 && result.status < 300) return;
			if (result.status === GONE) return this.#options.gone();
			if (attempt > retries) return;
			const delay = retryDelays[Math.min(attempt, retryDelays.length) - 1] ?? 0;
			await sleep(Math.max(delay, retryAfter), undefined, { signal }).catch(() => {});
		}
	}

	/** Sends an event once, with a current timestamp and signature. Never rejects. */
	async #post(id: string, body: string) {
		const { url, secret, timeLimit } = this.webhook;
		const { now } = this.#options;
		const timestamp = Math.floor(now() / 1_000);
		const limit = AbortSignal.timeout(timeLimit);
		const start = performance.now();
		const outcome = (status: number | null, error: WebhookDelivery['error'], retryAfter = 0) => ({
			status,
			error,
			ms: performance.now() - start,
			retryAfter,
		});
		try {
			const response = await fetch(url, {
				method: 'POST',
				headers: {
					'content-type': 'application/json',
					'user-agent': 'product-reviews-sandbox',
					'webhook-id': id,
					'webhook-timestamp': String(timestamp),
					'webhook-signature': signEvent(secret, id, timestamp, body),
				},
				body,
				// A redirect could lead to another machine. It counts as a failure, like any status other than 2xx.
				redirect: 'manual',
				signal: AbortSignal.any([limit, this.#ending.signal]),
			});
			// The body is drained in the background so that the connection can be reused.
			response.body?.pipeTo(new WritableStream()).catch(() => {});
			return outcome(response.status, null, readRetryAfter(response.headers.get('retry-after'), now()));
		} catch {
			if (this.#ending.signal.aborted) return outcome(null, 'ended');
			return outcome(null, limit.aborted ? 'time limit' : 'connection');
		}
	}
}

/** Returns milliseconds, at most a day; 0 for anything but seconds and dates. */
function readRetryAfter(value: string | null, now: number): number {
	if (value === null) return 0;
	const pause = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
	return pause > 0 ? Math.min(pause, LONGEST_PAUSE) : 0;
}

/** Signs a request according to Standard Webhooks 1.0.0. Returns the value of `webhook-signature`. */
function signEvent(secret: string, id: string, timestamp: number, body: string): string {
	const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
	return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
