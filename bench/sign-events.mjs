import { createHmac, randomUUID } from 'node:crypto';

/**
 * Creates distinct current events for this number of products, signed like those of the service, as autocannon requests.
 * @param pid of all of them. @default one product after the other
 */
export function signEvents({ count, products, secret, pid }) {
	const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
	const timestamp = String(Math.round(Date.now() / 1_000));
	return Array.from({ length: count }, (_, index) => {
		const id = `msg_${randomUUID()}`;
		const data = { wsid: 'W-1001', pid: pid ?? `p-${(index % products) + 1}` };
		const body = JSON.stringify({ type: 'review.published', timestamp: new Date().toISOString(), data });
		const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
		const headers = {
			'content-type': 'application/json',
			'webhook-id': id,
			'webhook-timestamp': timestamp,
			'webhook-signature': `v1,${signature}`,
		};
		return { id, method: 'POST', headers, body };
	});
}
