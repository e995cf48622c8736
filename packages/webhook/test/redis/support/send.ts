import { createHmac } from 'node:crypto';

/** Secret of the signed events of a test. */
export const SECRET = `whsec_${btoa('a secret that only tests know')}`;
/** Key of senders that cannot sign. */
export const KEY = 'a key that only tests know';

/** Sends an event with the fixed key, which gives it no name. */
export function send(url: string, pid: string): Promise<Response> {
	const headers = { 'content-type': 'application/json', 'x-key': KEY };
	return fetch(url, { method: 'POST', headers, body: JSON.stringify({ data: { pid } }) });
}

/** Sends an event with a signature, which has a name. */
export function sendSigned(url: string, id: string, pid: string): Promise<Response> {
	const body = JSON.stringify({ type: 'review.created', data: { pid } });
	const timestamp = String(Math.floor(Date.now() / 1_000));
	const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
	const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
	const headers = {
		'content-type': 'application/json',
		'webhook-id': id,
		'webhook-timestamp': timestamp,
		'webhook-signature': `v1,${signature}`,
	};
	return fetch(url, { method: 'POST', headers, body });
}
