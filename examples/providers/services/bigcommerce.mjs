import { plainText } from 'astro-product-reviews/plain-text';

/** All items of a list, page by page. The pages may be smaller than `limit`. */
async function* list(path, query, { env, signal }) {
	const headers = { accept: 'application/json', 'x-auth-token': env('BIGCOMMERCE_TOKEN') };
	const api = env('BIGCOMMERCE_API_PATH').replace(/\/$/, '');
	for (let page = 1, pages = 1; page <= pages; page += 1) {
		const parameters = new URLSearchParams({ ...query, limit: 250, page });
		const response = await fetch(`${api}/catalog/${path}?${parameters}`, { signal, headers });
		if (!response.ok) throw new Error(`BigCommerce responded with ${response.status}`, { cause: response });
		const { data, meta } = await response.json();
		pages = meta.pagination.total_pages;
		yield* data;
	}
}

/** Reviews of BigCommerce itself, from its REST API. */
export default {
	name: 'bigcommerce',
	async reviews(pid, options) {
		// Without `status`, the list also has pending reviews.
		const path = `products/${encodeURIComponent(pid)}/reviews`;
		const items = await Array.fromAsync(list(path, { status: 1 }, options));
		return {
			reviews: items
				.filter(({ status }) => status === 'approved')
				// Without `email`. A rating of 0 means that there is none.
				.map(({ id, name, rating, title, text, date_reviewed }) => ({
					id,
					author: plainText(name),
					rating,
					title: plainText(title),
					body: plainText(text),
					date: date_reviewed,
				})),
		};
	},
	async ratings(pids, options) {
		const query = { 'id:in': pids.join(), include_fields: 'reviews_rating_sum,reviews_count' };
		const products = await Array.fromAsync(list('products', query, options));
		return products
			.filter(({ reviews_count, reviews_rating_sum }) => reviews_count > 0 && reviews_rating_sum > 0)
			.map(({ id, reviews_count: count, reviews_rating_sum: sum }) => ({
				pid: id,
				average: sum / count,
				count,
			}));
	},
};
