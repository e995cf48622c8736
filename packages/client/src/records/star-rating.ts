import type { StarRatingItem } from '../contract/index.js';

/** Average rating and count of one product (operation 1). */
export interface StarRating {
	/** Product id. */
	readonly pid: string;
	/** Average rating, in stars. */
	readonly average: number;
	/** Count of ratings. */
	readonly count: number;
	/** Count of questions, where the service sends it. */
	readonly questionCount: number | undefined;
	/** The item as the service sent it, unknown fields included. Holds untrusted text. */
	readonly source: StarRatingItem;
}

/** Gives an item of operation 1 the names that the rest of the code uses. */
export function toStarRating(item: StarRatingItem): StarRating {
	return {
		pid: item.pid,
		average: item.avgrtng,
		count: item.prtng,
		questionCount: item.queCount ?? undefined,
		source: item,
	};
}
