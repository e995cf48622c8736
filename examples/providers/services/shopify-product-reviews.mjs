const QUERY = `query Reviews($after: String) {
	metaobjects(type: "product_review", first: 100, after: $after, reverse: true) {
		nodes { id capabilities { publishable { status } } fields { key value } }
		pageInfo { hasNextPage endCursor }
	}
}`;
const sourceId = (pid) => pid.replace('gid://shopify/Product/', '');

/** A page of the reviews of all products, the newest first. Shopify can't filter them by product. */
async function all(after, { env, signal }) {
	const response = await fetch(new URL('/admin/api/2026-10/graphql.json', env('SHOPIFY_STORE_URL')), {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'x-shopify-access-token': env('SHOPIFY_ADMIN_TOKEN') },
		body: JSON.stringify({ query: QUERY, variables: { after } }),
		signal,
	});
	if (!response.ok) throw new Error(`Shopify responded with ${response.status}`, { cause: response });
	const { data, errors } = await response.json();
	if (errors) {
		// These come in a response with status 200.
		const status = { THROTTLED: 429, ACCESS_DENIED: 403 }[errors[0].extensions?.code] ?? 502;
		throw new Error(`Shopify: ${errors[0].message}`, { cause: new Response(null, { status }) });
	}
	const { nodes, pageInfo } = data.metaobjects;
	// The Admin API also has drafts.
	const active = nodes.filter(({ capabilities }) => capabilities.publishable.status === 'ACTIVE');
	const reviews = active.map(reviewOf).filter(({ pid }) => pid);
	return { reviews, next: pageInfo.hasNextPage ? pageInfo.endCursor : null };
}

/** Leaves out the fields `author` and `order`, which are IDs of the customer and the order. */
function reviewOf({ id, fields }) {
	const field = Object.fromEntries(fields.map(({ key, value }) => [key, value]));
	const { value, scale_min: min, scale_max: max } = JSON.parse(field.rating);
	return {
		...{ id, pid: field.product && sourceId(field.product), author: field.author_display_name },
		// Numbers are texts. A scale from 0 to 5 still means stars.
		rating: Number(max) === 5 ? Number(value) : 1 + ((value - min) * 4) / (max - min),
		...{ title: field.title, body: field.body, language: field.language },
		...{ date: field.submitted_at, editedDate: field.edited_at },
		images: JSON.parse(field.media_urls ?? '[]').filter((url) => !/\.(?:mp4|mov|webm)$/i.test(url)),
		verified: field.app_verification_status === 'verified_buyer',
		reply: field.merchant_reply && { text: field.merchant_reply, date: field.merchant_replied_at },
	};
}

/** Texts of reviews that an app keeps at Shopify, in metaobjects of the type `product_review`. */
export default {
	...{ name: 'shopify-product-reviews', all, sourceId },
	async reviews(pid, options) {
		const reviews = [];
		for (let next; next !== null; ) {
			const page = await all(next, options);
			reviews.push(...page.reviews.filter((review) => review.pid === sourceId(pid)));
			next = page.next;
		}
		return { reviews: reviews.map((review) => ({ ...review, pid })) };
	},
};
