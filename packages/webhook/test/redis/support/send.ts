/** Key of senders that cannot sign. */
export const KEY = 'a key that only tests know';

/** Sends an event with the fixed key, which gives it no name. */
export function send(url: string, pid: string): Promise<Response> {
	const headers = { 'content-type': 'application/json', 'x-key': KEY };
	const body = JSON.stringify({ type: 'review.created', data: { pid } });
	return fetch(url, { method: 'POST', headers, body });
}
