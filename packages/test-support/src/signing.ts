import { createHmac } from 'node:crypto';
import { NOW } from './clock.ts';

export const SECRET = `whsec_${Buffer.from('canary-webhook-secret-of-the-tests').toString('base64')}`;
export const OTHER_SECRET = `whsec_${Buffer.from('another-secret-of-the-webhook-tests').toString('base64')}`;

export interface MessageOptions {
	readonly id?: string;
	readonly timestamp?: string;
	readonly body?: string | Uint8Array;
	readonly secret?: string;
}

let count = 0;

export type Message = ReturnType<typeof messageOf>;

/** Makes a signed event as the service sends it: of this moment, and with an id of its own. */
export function messageOf(options: MessageOptions = {}) {
	const { id = `msg_${++count}`, timestamp = String(NOW / 1_000), secret = SECRET } = options;
	const body = new Uint8Array(Buffer.from(options.body ?? eventOf('p-1')));
	const headers: Readonly<Record<string, string>> = {
		'content-type': 'application/json',
		'webhook-id': id,
		'webhook-timestamp': timestamp,
		'webhook-signature': signatureOf({ id, timestamp, body, secret }),
	};
	return { body, headers };
}

export function messageOfNow(options: MessageOptions = {}): Message {
	return messageOf({ timestamp: String(Math.floor(Date.now() / 1_000)), ...options });
}

export async function send(url: string, { headers, body }: Message = messageOfNow()): Promise<number> {
	const response = await fetch(url, { method: 'POST', headers, body });
	await response.body?.cancel();
	return response.status;
}

/** Signs as Standard Webhooks demand, without the code under test. */
export function signatureOf({ id, timestamp, body, secret }: Required<MessageOptions>): string {
	const content = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(body)]);
	const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
	return `v1,${createHmac('sha256', key).update(content).digest('base64')}`;
}

/** Turns a message into the `Request` that a handler gets; with headers, body and query in place of its own. */
export function requestOf(
	message: Message,
	changes: {
		readonly headers?: Readonly<Record<string, string | undefined>>;
		readonly body?: Uint8Array;
		/** Of the URL, with its question mark. */
		readonly query?: string;
	} = {},
): Request {
	const headers = { ...message.headers, ...changes.headers };
	return new Request(`https://shop.example/reviews${changes.query ?? ''}`, {
		method: 'POST',
		headers: Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined),
		body: new Uint8Array(changes.body ?? message.body),
	});
}

export function eventOf(pid: unknown, type = 'review.created'): string {
	return JSON.stringify({ type, timestamp: new Date(NOW).toISOString(), data: { wsid: 'W-1', pid } });
}
