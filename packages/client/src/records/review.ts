import type { ReviewItem } from '../contract/index.js';
import { orEmpty, orUndefined, toDate } from './read.js';

/**
 * One review (operation 2). Only fields whose meaning is clear from the service's documentation have a name here; all
 * others, including future ones, are in `source`. All text is untrusted.
 */
export interface Review {
	readonly id: string;
	readonly pid: string;
	/** Rating in stars. */
	readonly rating: number;
	readonly author: string | undefined;
	readonly title: string | undefined;
	readonly body: string | undefined;
	/** When the review was written, `YYYY-MM-DD` in UTC. */
	readonly date: string | undefined;
	readonly city: string | undefined;
	readonly state: string | undefined;
	readonly country: string | undefined;
	readonly productName: string | undefined;
	readonly productUrl: string | undefined;
	readonly productImageUrl: string | undefined;
	readonly images: readonly string[];
	readonly videos: readonly string[];
	readonly tags: readonly string[];
	readonly customQuestions: readonly string[];
	readonly topics: readonly { readonly key: string; readonly sentiment: string | undefined }[];
	readonly verified: boolean;
	readonly pinned: boolean;
	readonly testimonial: boolean;
	/** Whether the author recommends the product; `undefined` if unknown. */
	readonly recommends: boolean | undefined;
	readonly helpfulCount: number;
	readonly unhelpfulCount: number;
	/** Where the review was imported from, if it was. */
	readonly externalSource: string | undefined;
	/** The review as the service sent it, including unknown fields. */
	readonly source: ReviewItem;
}

/** Converts a review of operation 2 to the names used by the rest of the code. */
export function toReview(item: ReviewItem): Review {
	return {
		id: item._id,
		pid: item.pid,
		rating: item.rtng,
		author: orUndefined(item.un),
		title: orUndefined(item.rttl),
		body: orUndefined(item.rtxt),
		date: toDate(item.cdt) ?? toDate(item.createdAt),
		city: orUndefined(item.ct),
		state: orUndefined(item.st),
		country: orUndefined(item.cn),
		productName: orUndefined(item.pn),
		productUrl: orUndefined(item.pu),
		productImageUrl: orUndefined(item.piu),
		images: orEmpty(item.arrimg),
		videos: orEmpty(item.arrvdo),
		tags: orEmpty(item.arrtag),
		customQuestions: orEmpty(item.arrcustque),
		topics: orEmpty(item.aitopics).flatMap(({ key, sentiment }) =>
			key ? [{ key, sentiment: orUndefined(sentiment) }] : [],
		),
		verified: item.ivrfd ?? false,
		pinned: item.ipin ?? false,
		testimonial: item.itstmnl ?? false,
		recommends: item.ircmnd ?? undefined,
		helpfulCount: item.cntupvt ?? 0,
		unhelpfulCount: item.cntdwnvt ?? 0,
		externalSource: orUndefined(item.extsrc),
		source: item,
	};
}
