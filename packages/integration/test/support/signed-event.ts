import { eventOf, messageOfNow } from 'product-reviews-test-support/signing';

/** What `fetch` sends for an event of this moment. @param pid of what changed; none, if anything may have. */
export function signedEvent(pid?: string, headers: Readonly<Record<string, string>> = {}) {
	const message = messageOfNow({ id: crypto.randomUUID(), body: eventOf(pid) });
	return { method: 'POST', headers: { ...message.headers, ...headers }, body: message.body };
}
