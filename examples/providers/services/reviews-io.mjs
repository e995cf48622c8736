const API = 'https://api.reviews.io';

async function read(path, query, { env, signal }) {
	const parameters = new URLSearchParams({ store: env('REVIEWSIO_STORE'), ...query });
	const response = await fetch(`${API}${path}?${parameters}`, { signal });
	if (!response.ok) throw new Error(`Reviews.io responded with ${response.status}`, { cause: response });
	return response.json();
}

/** Leaves out the address, the picture, and replies, of which some may be private. */
function reviewOf({ product_review_id, sku, title, review, rating, date_created, reviewer, images }) {
	const { first_name: name, last_name: surname, verified_buyer } = reviewer ?? {};
	return {
		id: product_review_id,
		// Reviews of another SKU are left out.
		pid: sku,
		author: surname ? `${name} ${surname[0]}.` : name,
		rating,
		title,
		body: review,
		date: date_created,
		images,
		verified: verified_buyer === true || verified_buyer === 'yes',
	};
}

/** Product reviews of Reviews.io. It knows products by their SKU. */
export default {
	name: 'reviews-io',
	async reviews(sku, options) {
		const reviews = [];
		for (let page = 1; ; page += 1) {
			const { reviews: list } = await read('/product/review', { sku, page, per_page: 100 }, options);
			reviews.push(...list.data.map(reviewOf));
			// The pages may be smaller than `per_page`.
			if (list.data.length === 0 || page * list.per_page >= list.total) return { reviews };
		}
	},
	async ratings(skus, options) {
		const rows = await read('/product/rating-batch', { sku: skus.join(';') }, options);
		return rows
			.map(({ sku, average_rating, num_ratings }) => ({
				pid: sku,
				// A text, such as "4.5000".
				average: Number(average_rating),
				count: Number(num_ratings),
			}))
			.filter(({ average, count }) => average > 0 && count > 0);
	},
};
