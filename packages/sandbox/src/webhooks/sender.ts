import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Random } from '../seed/random.js';
import { LONGEST_PAUSE, type Webhook, type WebhookDelivery } from './webhook.js';

const MAXIMUM_IN_FLIGHT = 4;

/** Status with which a receiver declines further events. */
const GONE = 410;

/** One event, about one product or about none. It never contains anything from the review or question itself. */
export interface WebhookEvent extends Pick<WebhookDelivery, 'event' | 'type' | 'pid'> {
	readonly body: string;
}

interface SenderOptions {
	readonly apiKey: string;
	readonly now: () => number;
	readonly random: Random;
	readonly record: (delivery: WebhookDelivery) => void;
	/** Called when the receiver declines further events. */
	readonly gone: () => void;
}

export interface Sender extends ReturnType<typeof createSender> {}

/** Sends events to one URL. */
export function createSender(webhook: Webhook, { apiKey, now, random, record, gone }: SenderOptions) {
	const {
		id,
		url,
		secret,
		keyHeader,
		signed = !keyHeader,
		retries,
		retryDelays,
		timeLimit,
		duplicates,
		disorder,
	} = webhook;
	const ending = new AbortController();
	const { signal } = ending;
	const limit = pLimit(MAXIMUM_IN_FLIGHT);
	/** Resolves after the time; earlier at the end. */
	const pause = (ms: number) => sleep(ms, undefined, { signal }).catch(() => {});
	const held: (() => void)[] = [];

	/** Holds an event back with those that come after it, and resolves in random order. */
	const turn = async (ms: number): Promise<void> => {
		const { promise, resolve } = Promise.withResolvers<void>();
		if (held.push(resolve) === 1)
			void pause(ms).then(() => {
				for (const resume of random.shuffle(held.splice(0))) resume();
			});
		await promise;
	};

	/** Sends an event once, with a current timestamp and signature. Never rejects. */
	const post = async (event: string, body: string) => {
		const timestamp = Math.floor(now() / 1_000);
		const late = AbortSignal.timeout(timeLimit);
		const start = performance.now();
		const outcome = (status: number | null, error: WebhookDelivery['error'], retryAfter = 0) => ({
			result: { status, error, ms: performance.now() - start },
			retryAfter,
		});
		try {
			const response = await fetch(url, {
				method: 'POST',
				headers: {
					'content-type': 'application/json',
					'user-agent': 'product-reviews-sandbox',
					...(keyHeader !== undefined && { [keyHeader]: apiKey }),
					...(signed && {
						'webhook-id': event,
						'webhook-timestamp': String(timestamp),
						'webhook-signature': signEvent(secret, event, timestamp, body),
					}),
				},
				body,
				// A redirect could lead to another machine. It counts as a failure, like any status other than 2xx.
				redirect: 'manual',
				signal: AbortSignal.any([late, signal]),
			});
			// The body is drained in the background so that the connection can be reused.
			response.body?.pipeTo(new WritableStream()).catch(() => {});
			return outcome(response.status, null, readRetryAfter(response.headers.get('retry-after'), now()));
		} catch {
			return outcome(null, signal.aborted ? 'ended' : late.aborted ? 'time limit' : 'connection');
		}
	};

	/**
	 * Sends an event until it is accepted, the attempts are used up, or the registration ends. Every attempt has the same id
	 * and body, but its own timestamp and signature. It only occupies a slot of the limit while a request runs.
	 */
	const deliver = async ({ body, ...facts }: WebhookEvent, copy: number): Promise<void> => {
		// Even without disorder, this lets the edit be answered before anything is sent.
		await (disorder && turn(disorder.ms));
		for (let attempt = 1; ; attempt += 1) {
			const outcome = await limit(() => (signal.aborted ? undefined : post(facts.event, body)));
			if (!outcome) return;
			const { retryAfter, result } = outcome;
			record({ webhook: id, ...facts, url, copy, attempt, ...result });
			if (result.status !== null && result.status >= 200 && result.status < 300) return;
			if (result.status === GONE) return gone();
			if (attempt > retries) return;
			await pause(Math.max(retryDelays[Math.min(attempt, retryDelays.length) - 1] ?? 0, retryAfter));
		}
	};

	return {
		webhook,
		/** Sends an event and its copies. Resolves when they were accepted or given up; never rejects. */
		async send(event: WebhookEvent): Promise<void> {
			await Promise.all(Array.from({ length: 1 + duplicates }, (_, copy) => deliver(event, copy)));
		},
		/** Ends all requests and pauses immediately. */
		end: () => ending.abort(),
	};
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
