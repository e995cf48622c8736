import { eventOf, messageOf } from '../../../webhook/test/support/signing.js';

export { SECRET } from '../../../webhook/test/support/signing.js';

/** What `fetch` sends for an event of this moment. @param pid of what changed; none, if anything may have. */
export function signedEvent(pid?: string, headers: Readonly<Record<string, string>> = {}) {
	const timestamp = String(Math.floor(Date.now() / 1_000));
	const message = messageOf({ id: crypto.randomUUID(), timestamp, body: eventOf(pid) });
	return { method: 'POST', headers: { ...message.headers, ...headers }, body: message.body };
}

/** The status of the answer. */
export async function send(address: string, event: ReturnType<typeof signedEvent>): Promise<number> {
	const response = await fetch(address, event);
	await response.body?.cancel();
	return response.status;
}
