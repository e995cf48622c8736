import { z } from 'zod';
import { starRatingItem, starRatingResponse } from '../contract/index.js';
import { ReviewsHttpError } from '../errors/index.js';
import type { Send } from '../http/create-sender.js';
import { type StarRating, toStarRating } from '../records/star-rating.js';
import { createListQueue } from './create-list-queue.js';
import { readAnswer } from './read-answer.js';
import { readItems } from './read-items.js';
import type { RequestOptions } from './request-options.js';

/**
 * Requests average and count of every product in a list (operation 1), a few lists at a time.
 *
 * @returns ratings by requested id, in the same order; products unknown to the service are left out.
 */
export async function getStarRatings(
	send: Send,
	pids: readonly string[],
	maxListLength: number,
	{ signal, ...pacing }: RequestOptions,
): Promise<Map<string, StarRating>> {
	const found = new Map<string, StarRating>();
	const queue = createListQueue([...new Set(pids.map((pid) => pid.toWellFormed()))], maxListLength);
	// If one list fails, the whole call fails: the others must not continue in the background.
	const failed = new AbortController();
	const either = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
	const workers = Array.from({ length: PARALLEL_LISTS }, async () => {
		for (let list = queue.next(); list; list = queue.next()) {
			for (const rating of await askOrHalve(list)) found.set(rating.pid, rating);
		}
	});
	let failure: { error: unknown } | undefined;
	await Promise.all(
		workers.map((worker) =>
			worker.catch((error: unknown) => {
				failure ??= { error };
				failed.abort(error);
			}),
		),
	);
	if (failure) throw failure.error;
	return inOrder(pids, found);

	async function askOrHalve(list: readonly string[]): Promise<StarRating[]> {
		try {
			return await ask(send, list, { ...pacing, signal: either });
		} catch (error) {
			const isTooLong = error instanceof ReviewsHttpError && TOO_LONG_STATUSES.has(error.status);
			if (!isTooLong || list.length === 1) throw error;
			queue.putBackHalved(list);
			return [];
		}
	}
}

/** Enough to fetch thousands of ids quickly without burdening the service. */
const PARALLEL_LISTS = 4;

/** "Content too large", and "bad request", which some services send for a list that is too long. */
const TOO_LONG_STATUSES: ReadonlySet<number> = new Set([413, 400]);

/** The response, with unchecked items. */
const envelope = starRatingResponse.extend({ data: z.array(z.unknown()) });

async function ask(send: Send, list: readonly string[], options: RequestOptions): Promise<StarRating[]> {
	const { signal, priority, requeue } = options;
	const body = { listProductId: list };
	const answer = await send(
		{ operation: 'starRating', pids: list, body, authorize: true, signal, priority, requeue },
		(json) => readItems(starRatingItem, readAnswer(envelope, json).data, 'data'),
	);
	return (answer ?? []).map(toStarRating);
}

function inOrder(pids: readonly string[], found: ReadonlyMap<string, StarRating>): Map<string, StarRating> {
	return new Map(
		pids.flatMap((pid) => {
			const rating = found.get(pid.toWellFormed());
			return rating ? [[pid, rating] as const] : [];
		}),
	);
}
