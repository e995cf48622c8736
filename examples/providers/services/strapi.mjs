/** More than 100 values make Strapi ignore the filter, and send the reviews of all products. */
const AT_ONCE = 50;

/** All published reviews of the products, page by page. */
async function* published(pids, fields, { env, signal }) {
	const headers = { authorization: `Bearer ${env('STRAPI_TOKEN')}` };
	for (let page = 1, pageCount = 1; page <= pageCount; page += 1) {
		const query = new URLSearchParams([
			...pids.map((pid, index) => [`filters[pid][$in][${index}]`, pid]),
			...fields.map((field, index) => [`fields[${index}]`, field]),
			['sort', 'date:desc,id:desc'],
			['pagination[page]', page],
			// Strapi's `maxLimit` may make the pages smaller.
			['pagination[pageSize]', 100],
		]);
		const response = await fetch(new URL(`/api/reviews?${query}`, env('STRAPI_URL')), { signal, headers });
		if (!response.ok) throw new Error(`Strapi responded with ${response.status}`, { cause: response });
		const { data, meta } = await response.json();
		pageCount = meta.pagination.pageCount;
		yield* data.filter(({ pid }) => pids.includes(pid));
	}
}

/** A collection type `review` of Strapi 5, with a text field `pid`. */
export default {
	name: 'strapi',
	async reviews(pid, options) {
		const fields = ['pid', 'author', 'rating', 'title', 'body', 'date'];
		const reviews = await Array.fromAsync(published([pid], fields, options));
		// Each publication changes `id`, but not `documentId`.
		return { reviews: reviews.map(({ documentId, ...review }) => ({ ...review, id: documentId })) };
	},
	async ratings(pids, options) {
		const stars = new Map();
		for (let start = 0; start < pids.length; start += AT_ONCE) {
			const some = pids.slice(start, start + AT_ONCE);
			for await (const { pid, rating } of published(some, ['pid', 'rating'], options))
				if (rating) stars.set(pid, [...(stars.get(pid) ?? []), rating]);
		}
		return [...stars].map(([pid, ratings]) => {
			const average = ratings.reduce((sum, rating) => sum + rating) / ratings.length;
			return { pid, average, count: ratings.length };
		});
	},
};
