import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readRatings, writeRatings } from '../feeds/columns.js';
import { originOfRating, RATINGS_FILE, ratingsOf } from '../session/feeds.js';
import type { OpenReviews } from '../session/open-reviews.js';
import { type RenewContext, renewText } from './files.js';
import { inParallel } from './update-pages.js';

/** Products asked for together. */
const AT_ONCE = 100;

/** Writes new ratings into the file of the option `feeds.ratings`. @returns its name and those of its copies, if it changed */
export async function renewRatings(
	pids: readonly string[],
	reviews: OpenReviews,
	context: RenewContext,
): Promise<readonly string[]> {
	const text = await readFile(join(context.folder, RATINGS_FILE), 'utf8').catch(() => undefined);
	if (text === undefined) return [];
	const { cache, reviewData, ratings } = reviews;
	const resources = { reviews: reviews.reviews, 'review-data': reviewData, rating: ratings };
	await inParallel(pids, AT_ONCE, async (pid) => {
		const origin = originOfRating(pid, cache);
		if (origin) await resources[origin]?.settle(pid);
	});
	const before = readRatings(text);
	const now = [...ratingsOf(pids, cache)].filter(([pid, { count }]) => before.has(pid) || count > 0);
	return renewText(RATINGS_FILE, writeRatings(new Map([...before, ...now])), context);
}
