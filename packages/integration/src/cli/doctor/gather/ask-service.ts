import { createReviewsClient, type Operation, ReviewsError } from 'product-reviews-client';
import { type Connection, toClientOptions } from '../../../options/connection.js';
import type { ProductReviewsOptions } from '../../../options/schema.js';
import { createDropCounter } from '../../../parse/field-reader.js';
import { readPayload } from '../../../parse/read-payload.js';
import { readReviewData } from '../../../parse/read-review-data.js';
import type { AggregateRating } from '../../../parse/record.js';
import type { Asked, ServiceFacts } from '../facts.js';
import { troubleOf } from './trouble.js';

/** @returns the rating of the product; `undefined` if it has none. */
type Ask = () => Promise<AggregateRating | undefined>;

/** Longest time for one answer, in milliseconds. */
const PATIENCE = 10_000;

/** Asks each operation once for a product, as a build would, but without trying again. */
export async function askService(
	pid: string,
	connection: Connection,
	options: ProductReviewsOptions,
): Promise<ServiceFacts> {
	const clock = watchClock();
	const client = createReviewsClient({
		...toClientOptions(connection, options),
		token: connection.token,
		authorizeCrawlerReviews: options.authorizeCrawlerHtml && connection.token !== undefined,
		timeout: Math.min(options.timeout, PATIENCE),
		retries: 0,
		fetch: clock.fetch,
	});
	const { drop, dropped } = createDropCounter();
	const publishers: (string | undefined)[] = [];
	const asks: Record<Operation, Ask> = {
		crawlerReviews: async () => {
			const record = readPayload(await client.getCrawlerReviews(pid), drop);
			for (const { publisher } of record.schema?.reviews ?? []) publishers.push(publisher);
			return record.aggregate;
		},
		starRating: async () => (await client.getStarRatings([pid])).get(pid),
		productReviewData: async () => readReviewData(await client.getProductReviewData(pid)).aggregate,
	};
	const operations = {
		crawlerReviews: await ask(asks.crawlerReviews),
		starRating: connection.token ? await ask(asks.starRating) : SKIPPED,
		productReviewData: connection.token ? await ask(asks.productReviewData) : SKIPPED,
	};
	return {
		origin: new URL(connection.baseUrl).origin,
		operations,
		skew: clock.skew(),
		dropped,
		publishers,
	};
}

const SKIPPED: Asked = { state: 'skipped' };

async function ask(request: Ask): Promise<Asked> {
	const startedAt = performance.now();
	try {
		const { count = 0, average = 0 } = (await request()) ?? {};
		return { state: 'answered', ms: performance.now() - startedAt, count, average };
	} catch (error) {
		const status = error instanceof ReviewsError ? error.status : undefined;
		return { state: 'failed', trouble: troubleOf(error, 'PR_SERVICE_FAILED'), status };
	}
}

/** Compares the header `Date` of answers with the clock of this machine. */
function watchClock(): { readonly fetch: typeof fetch; readonly skew: () => number | undefined } {
	let skew: number | undefined;
	return {
		skew: () => skew,
		async fetch(input, init) {
			const askedAt = Date.now();
			const response = await fetch(input, init);
			const sentAt = Date.parse(response.headers.get('date') ?? '');
			// The header has whole seconds, and was written at some time since the request.
			if (!Number.isNaN(sentAt)) skew = sentAt + 500 - (askedAt + Date.now()) / 2;
			return response;
		},
	};
}
