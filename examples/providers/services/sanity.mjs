const REVIEWS = `*[_type == "review" && product->pid == $pid] | order(date desc, _id) {
	"id": _id, author, rating, title, body, date, verified, "images": images[].asset->url
}`;
const RATINGS = `*[_type == "review" && product->pid in $pids && rating > 0] { "pid": product->pid, rating }`;

async function query(groq, parameters, { env, signal }) {
	// A token can also read drafts.
	const search = new URLSearchParams({ query: groq, perspective: 'published' });
	for (const [name, value] of Object.entries(parameters)) search.set(`$${name}`, JSON.stringify(value));
	const token = env('SANITY_TOKEN');
	const headers = token ? { authorization: `Bearer ${token}` } : {};
	const response = await fetch(`${env('SANITY_QUERY_URL')}?${search}`, { signal, headers });
	if (!response.ok) throw new Error(`Sanity responded with ${response.status}`, { cause: response });
	return (await response.json()).result;
}

/** Documents of the type `review`, with a reference to a product that has a `pid`. */
export default {
	name: 'sanity',
	reviews: async (pid, options) => ({ reviews: await query(REVIEWS, { pid }, options) }),
	async ratings(pids, options) {
		const rows = await query(RATINGS, { pids }, options);
		return [...Map.groupBy(rows, ({ pid }) => pid)].map(([pid, rated]) => {
			const average = rated.reduce((sum, { rating }) => sum + rating, 0) / rated.length;
			return { pid, average, count: rated.length };
		});
	},
};
