import { messageOfNow } from 'product-reviews-test-support/signing';

/** Key of senders that cannot sign. */
export const KEY = 'a key that only tests know';

/** Sends an event with the fixed key, which gives it no name. */
export function send(url: string, pid: string): Promise<Response> {
	const headers = { 'content-type': 'application/json', 'x-key': KEY };
	return fetch(url, { method: 'POST', headers, body: bodyOf(pid) });
}

/** Sends an event with a signature, which has a name. */
export function sendSigned(url: string, id: string, pid: string): Promise<Response> {
	const { headers, body } = messageOfNow({ id, body: bodyOf(pid) });
	return fetch(url, { method: 'POST', headers, body });
}

const bodyOf = (pid: string) => JSON.stringify({ type: 'review.created', data: { pid } });
