/** The scale of your project's ratings: commercetools allows any from -100 to 100. */
const [LOWEST, HIGHEST] = [0, 100];
const starsOf = (rating) => 1 + ((rating - LOWEST) * 4) / (HIGHEST - LOWEST);

async function read(url, init) {
	const response = await fetch(url, init);
	if (!response.ok) throw new Error(`commercetools responded with ${response.status}`, { cause: response });
	return response.json();
}

let token;

async function readList(path, query, { env, signal }) {
	const project = env('CTP_PROJECT_KEY');
	if (!token || token.until < Date.now()) {
		const client = btoa(`${env('CTP_CLIENT_ID')}:${env('CTP_CLIENT_SECRET')}`);
		const scope = `view_published_products:${project} view_reviews:${project}`;
		const { access_token, expires_in } = await read(`${env('CTP_AUTH_URL')}/oauth/token`, {
			method: 'POST',
			headers: { authorization: `Basic ${client}` },
			body: new URLSearchParams({ grant_type: 'client_credentials', scope }),
			signal,
		});
		token = { text: access_token, until: Date.now() + expires_in * 900 };
	}
	const parameters = new URLSearchParams({ ...query, withTotal: false });
	const headers = { authorization: `Bearer ${token.text}` };
	return read(`${env('CTP_API_URL')}/${project}/${path}?${parameters}`, { signal, headers });
}

/** Reviews of commercetools. The IDs of products are those that its API made. */
export default {
	name: 'commercetools',
	async reviews(pid, options) {
		// The statistics leave out reviews without approval.
		const where = `target(typeId="product" and id=${JSON.stringify(pid)}) and includedInStatistics=true`;
		const reviews = [];
		for (let offset = 0; ; ) {
			const query = { where, sort: 'createdAt desc', limit: 500, offset };
			const { results, limit } = await readList('reviews', query, options);
			for (const { id, authorName: author, rating, title, text: body, createdAt: date, locale } of results) {
				// Without `customer`, which is an ID.
				const stars = rating === undefined ? null : starsOf(rating);
				reviews.push({ id, author, rating: stars, title, body, date, language: locale });
			}
			offset += results.length;
			if (results.length < limit) return { reviews };
		}
	},
	async ratings(pids, options) {
		const where = `id in (${pids.map((pid) => JSON.stringify(pid)).join()})`;
		const { results } = await readList('product-projections', { where, limit: 100 }, options);
		return results.flatMap(({ id, reviewRatingStatistics: { averageRating, count } = {} }) =>
			count ? [{ pid: id, average: starsOf(averageRating), count }] : [],
		);
	},
};
