const { createHmac, randomUUID } = require('node:crypto');

/** Sends a signed webhook with the product of a review that was written, approved, hidden or answered. */
exports.default = async ({ event, container }) => {
	const isReply = event.name.startsWith('product_review_response.');
	const { data } = await container.resolve('query').graph({
		entity: isReply ? 'product_review_response' : 'product_review',
		fields: isReply ? ['product_review.product_id'] : ['product_id'],
		filters: { id: [event.data].flat().map(({ id }) => id) },
	});
	const pid = data.map((found) => found.product_id ?? found.product_review?.product_id).filter(Boolean);
	if (pid.length === 0) return;
	const body = JSON.stringify({ type: event.name, data: { pid } });
	const [id, timestamp] = [`msg_${randomUUID()}`, Math.floor(Date.now() / 1_000)];
	const key = Buffer.from(process.env.REVIEWS_WEBHOOK_SECRET.slice('whsec_'.length), 'base64');
	const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
	await fetch(process.env.REVIEWS_WEBHOOK_URL, {
		...{ method: 'POST', body },
		headers: {
			'content-type': 'application/json',
			...{ 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature}` },
		},
	});
};

exports.config = {
	event: ['product_review.created', 'product_review.updated', 'product_review_response.created'],
};
