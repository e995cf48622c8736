import type { CrawlerReviews, CrawlerReviewsRequestOptions, ReviewsClient } from 'product-reviews-client';
import { answer } from '../service/payload.js';

/** Request of a fake client that has not been answered. */
interface OpenRequest {
	readonly pid: string;
	/** With what was asked whether the known answer is current. */
	readonly known: CrawlerReviewsRequestOptions['known'];
	answer(parts?: Partial<CrawlerReviews>): void;
	fail(message: string): void;
}

/** A client whose requests the test answers, one by one, and a record of what it was asked. */
export function createFakeClient() {
	/** Requests in flight, in the order in which they came. */
	const open: OpenRequest[] = [];
	const asked: string[] = [];
	/** What was to be asked for next, in the order in which that was said. */
	const prioritized: Parameters<ReviewsClient['prioritize']>[] = [];
	const ask = (pid: string, signal?: AbortSignal, known?: CrawlerReviewsRequestOptions['known']) =>
		new Promise<never>((resolve, reject) => {
			asked.push(pid);
			const request: OpenRequest = {
				pid,
				known,
				answer: (parts) => end(() => resolve(answer({ pid, ...parts }) as never)),
				fail: (message) => end(() => reject(new Error(message))),
			};
			const end = (settle: () => void) => {
				open.splice(open.indexOf(request), 1);
				settle();
			};
			signal?.addEventListener('abort', () => request.fail(String(signal.reason)), { once: true });
			open.push(request);
		});
	const client = {
		getCrawlerReviews: (pid: string, { signal, known }: CrawlerReviewsRequestOptions = {}) =>
			ask(pid, signal, known),
		getProductReviewData: (pid, { signal } = {}) => ask(pid, signal),
		getStarRatings: async () => new Map(),
		prioritize: (operation, pid) => prioritized.push([operation, pid]),
	} satisfies ReviewsClient;
	return { client, open, asked, prioritized };
}
