import pLimit from 'p-limit';
import type { ReviewsClient } from 'product-reviews-client';
import { condenseRecord } from '../parse/condense-record.js';
import { createDropCounter } from '../parse/dropped-parts.js';
import { readPayload } from '../parse/read-payload.js';
import { readReviewData } from '../parse/read-review-data.js';
import type { StoredData } from '../render/component.js';
import type { Attachments } from '../store/attachments.js';
import { pack } from '../store/pack.js';
import type { Resource } from '../store/review-store.js';
import { createBreaker } from './create-breaker.js';
import { isOutage } from './is-outage.js';
import { readKnown, writeKnown } from './known-answer.js';
import type { Fetched, ReviewService } from './review-service.js';

/** Writes what is kept beside a product's data, see `writePieces`. */
export type Attach = <Of extends Resource>(resource: Of, stored: StoredData[Of]) => Attachments | undefined;

/** A product that waits for its turn. */
interface Job {
	readonly resource: Resource;
	readonly pid: string;
	readonly validators: string | undefined;
	readonly resolve: (fetched: Fetched | Promise<Fetched>) => void;
	/** A page waits for it. */
	isHurried?: boolean;
	/** Why it failed before. */
	failure?: unknown;
}

/**
 * Asks the service in this thread. Products are asked for in the order in which they come, but that those which were
 * hurried come first, the last one hurried before all: that is the page which is being rendered.
 *
 * @param most requests in flight at once.
 * @param current how many may be in flight now, 1 to `most`; asked whenever a request has ended.
 * @param hasSecondRound whether a product for which the service failed is asked for once more, behind all others: of many
 * products one fails as often in a row as a request is tried, and would cost the build.
 * @param attach writes what is kept beside a product's data. @default nothing
 */
export function createReviewService(
	client: ReviewsClient,
	most: number,
	current: () => number = () => most,
	hasSecondRound = true,
	attach: Attach = () => undefined,
): ReviewService {
	const limit = pLimit(most);
	const abort = new AbortController();
	const { signal } = abort;
	const waiting: Job[] = [];
	const breaker = createBreaker(most);

	// What is asked of the service, and what is made of its answer.
	const askers: Record<Resource, (job: Job) => Promise<Fetched>> = {
		reviews: async ({ pid, validators }) => {
			const payload = await client.getCrawlerReviews(pid, { known: readKnown(validators), signal });
			if (payload === 'unchanged') return { packed: undefined, isEmpty: false, dropped: {}, validators };
			const { drop, dropped } = createDropCounter();
			const record = readPayload(payload, drop);
			return {
				packed: pack(condenseRecord(record), record.aggregate, attach('reviews', record)),
				isEmpty: record.reviews.length === 0 && record.aggregate === undefined,
				dropped,
				validators: writeKnown(payload.validators),
			};
		},
		// Asked for with a POST, for which HTTP knows no validators.
		'review-data': async ({ pid }) => {
			const { drop, dropped } = createDropCounter();
			const record = readReviewData(await client.getProductReviewData(pid, { signal }), drop);
			const { aggregate, reviews, questions, questionCount } = record;
			return {
				packed: pack(record, { ...aggregate, questionCount }, attach('review-data', record)),
				isEmpty: reviews.length + questions.length === 0 && aggregate === undefined,
				dropped,
				validators: undefined,
			};
		},
	};
	const askAgain = (job: Job, failure: unknown) => {
		job.failure = failure;
		if (job.isHurried) waiting.unshift(job);
		else waiting.push(job);
		void limit(runNext);
	};
	const runNext = async () => {
		const job = waiting.shift();
		if (!job) return;
		try {
			job.resolve(await breaker.run(() => askers[job.resource](job)));
		} catch (error) {
			if (hasSecondRound && job.failure === undefined && isOutage(error)) askAgain(job, error);
			else job.resolve(Promise.reject(job.failure ?? error));
		}
		limit.concurrency = current();
	};

	return {
		fetch: (resource, pid, validators) =>
			new Promise((resolve) => {
				waiting.push({ resource, pid, validators, resolve });
				limit(runNext);
			}),
		fetchRatings: (pids) =>
			limit(async () => {
				const asked = breaker.run(() => client.getStarRatings(pids, { signal }));
				const ratings = await asked.finally(() => {
					limit.concurrency = current();
				});
				return new Map(
					[...ratings].map(([pid, { average, count, questionCount }]) => [
						pid,
						{ average, count, questionCount },
					]),
				);
			}),
		hurry(resource, pid) {
			const index = waiting.findIndex((job) => job.pid === pid && job.resource === resource);
			const job = waiting[index];
			if (job) job.isHurried = true;
			if (index > 0) waiting.unshift(...waiting.splice(index, 1));
		},
		async close(reason = new Error('The build ended.')) {
			abort.abort(reason);
		},
	};
}
