import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Random } from '../seed/random.js';
import { LONGEST_PAUSE, type Webhook, type WebhookDelivery, type WebhookEvent } from './webhook.js';

const MOST_IN_FLIGHT = 4;

/** Status with which a receiver declines further events. */
const GONE = 410;

interface SenderEffects {
	/** Website id. */
	readonly wsid: string;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Decides about the order, and which signatures are wrong. */
	readonly random: Random;
	/** Called with the record of each attempt. */
	readonly record: (delivery: WebhookDelivery) => void;
	/** Called when the receiver declines further events. */
	readonly gone: () => void;
}

/** Sends events to one URL. */
export class Sender {
	readonly webhook: Webhook;
	readonly #effects: SenderEffects;
	/** Aborts when the registration or the sandbox ends: nothing more is sent. */
	readonly #ending = new AbortController();
	readonly #limit = pLimit(MOST_IN_FLIGHT);
	readonly #turn: () => Promise<void>;

	constructor(webhook: Webhook, effects: SenderEffects) {
		this.webhook = webhook;
		this.#effects = effects;
		this.#turn = createDisorder(webhook.disorder, effects.random, this.#ending.signal);
	}

	/** Sends an event and its copies. Resolves when they were accepted or given up; never rejects. */
	async send(event: WebhookEvent): Promise<void> {
		const body = eventBody(event, this.#effects.wsid, this.webhook.shape);
		const copies = Array.from({ length: 1 + this.webhook.duplicates }, async (_, copy) => {
			// Even without disorder, this lets the edit be answered before anything is sent.
			await this.#turn();
			await this.#deliver(event, copy, body);
		});
		await Promise.all(copies);
	}

	/** Ends all requests and pauses immediately. */
	end(): void {
		this.#ending.abort();
	}

	/**
	 * Sends an event until it is accepted, the attempts are used up, or the registration ends. Every attempt has the same id
	 * and body, but its own timestamp and signature. It only occupies a slot of the limit while a request runs.
	 */
	async #deliver({ id: event, type, pid }: WebhookEvent, copy: number, body: string): Promise<void> {
		const { id, url, retries, retryDelays } = this.webhook;
		const { signal } = this.#ending;
		for (let attempt = 1; ; attempt += 1) {
			const outcome = await this.#limit(() => (signal.aborted ? undefined : this.#post(event, body)));
			if (!outcome) return;
			const { retryAfter, ...result } = outcome;
			this.#effects.record({ webhook: id, event, type, pid, url, copy, attempt, ...result });
			if (result.status !== null && result.status >= 200 && result.status < 300) return;
			if (result.status === GONE) return this.#effects.gone();
			if (attempt > retries) return;
			const delay = retryDelays[Math.min(attempt, retryDelays.length) - 1] ?? 0;
			await sleep(Math.max(delay, retryAfter), undefined, { signal }).catch(() => {});
		}
	}

	/** Sends an event once, with a current timestamp and signature. Never rejects. */
	async #post(id: string, body: string): Promise<PostOutcome> {
		const { url, secret, badSignatures, timeLimit } = this.webhook;
		const { now, random } = this.#effects;
		const { signal } = this.#ending;
		const timestamp = Math.floor(now() / 1_000);
		const badSignature = random.chance(badSignatures);
		// A wrong signature is one for a different body, so only a receiver that verifies it notices.
		const signature = signEvent(secret, id, timestamp, badSignature ? `${body} ` : body);
		const limit = AbortSignal.timeout(timeLimit);
		const start = performance.now();
		const outcome = (status: number | null, error: PostOutcome['error'], retryAfter = 0): PostOutcome => ({
			status,
			error,
			badSignature,
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
					'webhook-signature': signature,
				},
				body,
				// A redirect could lead to another machine. It counts as a failure, like any status other than 2xx.
				redirect: 'manual',
				signal: AbortSignal.any([limit, signal]),
			});
			// Only the status matters. The body is drained in the background so that the connection can be reused.
			response.body?.pipeTo(new WritableStream()).catch(() => {});
			return outcome(response.status, null, readRetryAfter(response.headers.get('retry-after'), now()));
		} catch {
			if (signal.aborted) return outcome(null, 'ended');
			return outcome(null, limit.aborted ? 'time limit' : 'connection');
		}
	}
}

interface PostOutcome extends Pick<WebhookDelivery, 'status' | 'error' | 'badSignature' | 'ms'> {
	/** Pause that the receiver requests before the next attempt, in milliseconds; 0 if it requests none. */
	readonly retryAfter: number;
}

/**
 * Creates a queue that releases its waiters in random order: `ms` after the first one arrived, or as soon as there are
 * `events` of them. Without settings there is no wait.
 *
 * @param signal Releases all waiters when it aborts.
 * @returns A function that resolves when it is the caller's turn.
 */
function createDisorder(
	settings: Webhook['disorder'],
	random: Random,
	signal: AbortSignal,
): () => Promise<void> {
	if (!settings) return async () => {};
	const { events = Number.POSITIVE_INFINITY, ms = 1_000 } = settings;
	let held: (() => void)[] = [];
	let timer: NodeJS.Timeout | undefined;

	const release = () => {
		clearTimeout(timer);
		const turns = random.shuffle(held);
		held = [];
		for (const turn of turns) turn();
	};

	signal.addEventListener('abort', release, { once: true });
	return () =>
		new Promise((resolve) => {
			held.push(resolve);
			if (held.length === 1) timer = setTimeout(release, ms);
			if (held.length >= events) release();
		});
}

/** Creates the body of an event: which product changed and how, without any content of the review. */
function eventBody(event: WebhookEvent, wsid: string, shape: Webhook['shape']): string {
	const { type, timestamp, pid } = event;
	return JSON.stringify({ type, timestamp, data: { wsid, ...productOf(pid, shape) } });
}

function productOf(pid: string, shape: Webhook['shape']): object {
	switch (shape) {
		case 'pid':
			return { pid };
		case 'pids':
			return { pid: [pid] };
		case 'arrpid':
			return { arrpid: [{ pid }] };
		case 'none':
			return {};
	}
}

/**
 * Parses `Retry-After`, in seconds or as a date. Returns milliseconds from `now` (milliseconds since 1970), at most a day;
 * 0 for anything else.
 */
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
