/** The service's response for a product. */
export interface CrawlerReviews {
	readonly html: string;
	/** Empty for a product without published reviews. */
	readonly jsonld: string;
	readonly dataCount: { readonly prtng: number; readonly avgrtng: number };
}

/** Queries the service directly, so that a test can compare the page with its source. */
export async function crawlerReviewsOf(
	service: { readonly url: string; readonly wsid: string },
	pid: string,
): Promise<CrawlerReviews> {
	const query = new URLSearchParams({ wsid: service.wsid, pid, ihtml: 'true', ijsonld: 'true' });
	const response = await fetch(`${service.url}/api/llmRvwHTML?${query}`);
	if (!response.ok) throw new Error(`The sandbox answered ${response.status} for ${pid}.`);
	return (await response.json()) as CrawlerReviews;
}
