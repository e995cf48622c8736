import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../seed/random.js';
import { LONGEST_PAUSE, type Webhook, type WebhookDelivery, type WebhookEvent } from './webhooks.js';

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

/** Status with which a receiver declines further events. */
const GONE = 410;

/** Dependencies of a delivery. */
interface DeliverEffects extends PostEffects {
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
async function deliverEvent(
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

/** Runs a task as soon as the limit allows. Tasks start in the order they were passed. */
type Limit = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Limits how many tasks run at once. */
function createLimit(most: number): Limit {
	let running = 0;
	const waiting: (() => void)[] = [];
	return async (task) => {
		if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
		else running += 1;
		try {
			return await task();
		} finally {
			// The slot is handed over directly: if it were freed first, a new task could take it.
			const next = waiting.shift();
			if (next) next();
			else running -= 1;
		}
	};
}

/** Dependencies of sending an event. */
interface PostEffects {
	readonly fetch: typeof fetch;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Decides which signatures are wrong. */
	readonly random: Random;
}

/** Outcome of one attempt. */
interface PostOutcome extends Pick<WebhookDelivery, 'status' | 'error' | 'badSignature' | 'ms'> {
	/** Pause that the receiver requests before the next attempt, in milliseconds; 0 if it requests none. */
	readonly retryAfter: number;
}

/**
 * Sends an event once, with a current timestamp and signature. Never rejects.
 *
 * @param signal Ends the request when it aborts.
 */
async function postEvent(
	webhook: Webhook,
	id: string,
	body: string,
	signal: AbortSignal,
	{ fetch, now, random }: PostEffects,
): Promise<PostOutcome> {
	const timestamp = Math.floor(now() / 1_000);
	const badSignature = random.chance(webhook.badSignatures);
	// A wrong signature is one for a different body, so only a receiver that verifies it notices.
	const signature = signEvent(webhook.secret, { id, timestamp, body: badSignature ? `${body} ` : body });
	const limit = AbortSignal.timeout(webhook.timeLimit);
	const start = performance.now();
	const outcome = (status: number | null, error: PostOutcome['error'], retryAfter = 0): PostOutcome => ({
		status,
		error,
		badSignature,
		ms: performance.now() - start,
		retryAfter,
	});
	try {
		const response = await fetch(webhook.url, {
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

/**
 * Parses `Retry-After`, in seconds or as a date. Returns milliseconds from `now` (milliseconds since 1970), at most a day;
 * 0 for anything else.
 */
function readRetryAfter(value: string | null, now: number): number {
	if (value === null) return 0;
	const pause = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
	return pause > 0 ? Math.min(pause, LONGEST_PAUSE) : 0;
}

/** The signed content, according to Standard Webhooks 1.0.0. */
interface SignedContent {
	/** `webhook-id`. */
	readonly id: string;
	/** `webhook-timestamp`: seconds since 1970. */
	readonly timestamp: number;
	readonly body: string;
}

/**
 * Signs a request. Returns the value of `webhook-signature`.
 *
 * @param secret `whsec_` followed by the base64 of the key.
 */
function signEvent(secret: string, { id, timestamp, body }: SignedContent): string {
	const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
	return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
