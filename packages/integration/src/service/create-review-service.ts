import { setImmediate } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { ReviewsClient } from 'product-reviews-client';
import { createDropCounter } from '../payload/dropped-parts.js';
import { readPayload } from '../payload/read-payload.js';
import { pack } from '../store/pack.js';
import type { Resource } from '../store/review-store.js';
import { createBreaker } from './create-breaker.js';
import type { Fetched, ReviewService } from './review-service.js';

/** A product that waits for its turn. */
interface Job {
	readonly resource: Resource;
	readonly pid: string;
	readonly resolve: (fetched: Promise<Fetched>) => void;
}

/**
 * Asks the service in this thread. Products are asked for in the order in which they come, but that those which were
 * hurried come first, the last one hurried before all: that is the page which is being rendered.
 */
export function createReviewService(client: ReviewsClient, concurrency: number): ReviewService {
	const limit = pLimit(concurrency);
	const abort = new AbortController();
	const { signal } = abort;
	const waiting: Job[] = [];
	const breaker = createBreaker(concurrency);

	// What is asked of the service, and what is made of its answer.
	const askers: Record<Resource, (pid: string) => Promise<() => Fetched>> = {
		reviews: async (pid) => {
			const payload = await client.getCrawlerReviews(pid, { signal });
			return () => {
				const { drop, dropped } = createDropCounter();
				const record = readPayload(payload, drop);
				return {
					packed: pack(record),
					isEmpty: record.reviews.length === 0 && record.aggregate === undefined,
					dropped,
					validators: undefined,
				};
			};
		},
		'review-data': async (pid) => {
			const data = await client.getProductReviewData(pid, { signal });
			return () => ({
				packed: pack(data),
				isEmpty: data.reviews.length === 0,
				dropped: {},
				validators: undefined,
			});
		},
	};
	// Answers are read one a turn of the event loop, so that requests go out in between: six answers that come together
	// would otherwise hold up the next six requests for as long as reading them takes.
	let lastRead: Promise<unknown> = Promise.resolve();
	const readInTurn = (read: () => Fetched): Promise<Fetched> => {
		const fetched = lastRead.then(() => setImmediate()).then(read);
		lastRead = fetched.catch(() => {});
		return fetched;
	};
	const runNext = async () => {
		const job = waiting.shift();
		if (!job) return;
		const asked = breaker.run(() => askers[job.resource](job.pid));
		job.resolve(asked.then(readInTurn));
		await asked.catch(() => {});
	};

	return {
		fetch: (resource, pid) =>
			new Promise((resolve) => {
				waiting.push({ resource, pid, resolve });
				limit(runNext);
			}),
		fetchRatings: (pids) =>
			limit(async () => {
				const ratings = await breaker.run(() => client.getStarRatings(pids, { signal }));
				return new Map(
					[...ratings].map(([pid, { average, count, questionCount }]) => [
						pid,
						{ average, count, questionCount },
					]),
				);
			}),
		hurry(resource, pid) {
			const index = waiting.findIndex((job) => job.pid === pid && job.resource === resource);
			if (index > 0) waiting.unshift(...waiting.splice(index, 1));
		},
		async close(reason = new Error('The build ended.')) {
			abort.abort(reason);
		},
	};
}
