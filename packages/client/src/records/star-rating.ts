import type { StarRatingItem } from '../contract/index.js';

/** Average rating and number of ratings of one product (operation 1). */
export interface StarRating {
	/** Product id. */
	readonly pid: string;
	/** Average rating, in stars. */
	readonly average: number;
	/** Number of ratings. */
	readonly count: number;
	/** Number of questions, if the service sends it. */
	readonly questionCount: number | undefined;
	/** The item as the service sent it, including unknown fields. Contains untrusted text. */
	readonly source: StarRatingItem;
}

/** Converts an item of operation 1 to the names used by the rest of the code. */
export function toStarRating(item: StarRatingItem): StarRating {
	return {
		pid: item.pid,
		average: item.avgrtng,
		count: item.prtng,
		questionCount: item.queCount ?? undefined,
		source: item,
	};
}
