/** URL of a product's reviews: operation 3 of the service. */
export function reviewsAddress(pid) {
	const { REVIEWS_BASE_URL: base, REVIEWS_WSID: wsid } = process.env;
	return `${base}/api/llmRvwHTML?wsid=${wsid}&pid=${pid}&ihtml=true&ijsonld=true`;
}
