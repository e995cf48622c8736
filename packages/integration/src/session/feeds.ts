import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ReviewCache } from '../cache/open-cache.js';
import { SENT_KINDS } from '../cache/review-cache.js';
import { NOT_RATED, type Ratings, writeRatings } from '../feeds/columns.js';
import { ratingOf } from '../service/packed.js';

/** File of the option `feeds.ratings`, in the output folder. */
export const RATINGS_FILE = 'product-ratings.json';

/** Where a product's rating is read, as pages read it: from its reviews if they are known. `undefined` if nothing is known. */
export function originOfRating(pid: string, cache: ReviewCache): (typeof SENT_KINDS)[number] | undefined {
	return SENT_KINDS.find((kind) => cache.table(kind).entry(pid) !== undefined);
}

export function ratingsOf(pids: Iterable<string>, cache: ReviewCache): Ratings {
	const known = [...pids].flatMap((pid) => {
		const origin = originOfRating(pid, cache);
		const rating = origin && ratingOf(cache.table(origin).entry(pid)?.summary);
		return origin ? [[pid, rating ?? NOT_RATED] as const] : [];
	});
	return new Map(known);
}

/** Writes the ratings of all products of a build. @param folder of its pages. */
export function writeRatingsFile(pids: Iterable<string>, cache: ReviewCache, folder: string): void {
	writeText(join(folder, RATINGS_FILE), writeRatings(ratingsOf(pids, cache)));
}

function writeText(file: string, text: string): void {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, text);
}
