const PRODUCT = '/api/v2/shop/products/';
/** Number of products in a request: the URL holds their names. */
const AT_ONCE = 25;

/** All reviews of the products. Sylius only sends those that are accepted. */
async function* accepted(codes, { env, signal }) {
	const query = new URLSearchParams([
		...codes.map((code) => ['reviewSubject[]', PRODUCT + encodeURIComponent(code)]),
		['order[createdAt]', 'desc'],
		['itemsPerPage', 100],
	]);
	const headers = { accept: 'application/ld+json' };
	for (let next = `/api/v2/shop/product-reviews?${query}`; next; ) {
		const response = await fetch(new URL(next, env('SYLIUS_URL')), { signal, headers });
		if (!response.ok) throw new Error(`Sylius responded with ${response.status}`, { cause: response });
		const page = await response.json();
		// Newer versions leave out the prefix.
		for (const { reviewSubject, ...review } of page['hydra:member'] ?? page.member)
			yield { ...review, pid: decodeURIComponent(reviewSubject.split('/').at(-1)) };
		next = page['hydra:view']?.['hydra:next'] ?? page.view?.next;
	}
}

/** Reviews of Sylius. The IDs of products are their codes. */
export default {
	name: 'sylius',
	async reviews(code, options) {
		const items = await Array.fromAsync(accepted([code], options));
		return {
			reviews: items.map(({ id, pid, author, rating, title, comment, createdAt }) => ({
				id,
				pid,
				// Of some authors, there is only the address of the customer.
				author: author?.firstName,
				rating,
				title,
				body: comment,
				date: createdAt,
			})),
		};
	},
	async ratings(codes, options) {
		const stars = new Map();
		for (let start = 0; start < codes.length; start += AT_ONCE) {
			for await (const { pid, rating } of accepted(codes.slice(start, start + AT_ONCE), options))
				if (rating) stars.set(pid, [...(stars.get(pid) ?? []), rating]);
		}
		return [...stars].map(([pid, ratings]) => {
			const average = ratings.reduce((sum, rating) => sum + rating) / ratings.length;
			return { pid, average, count: ratings.length };
		});
	},
};
