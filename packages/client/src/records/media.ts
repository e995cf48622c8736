import type { MediaItem } from '../contract/index.js';
import { orEmpty, orUndefined, toDate } from './read.js';

/** Images and videos of one review (operation 2). URLs and texts are untrusted. */
export interface Media {
	readonly id: string | undefined;
	readonly author: string | undefined;
	/** Rating in stars. */
	readonly rating: number | undefined;
	readonly title: string | undefined;
	readonly body: string | undefined;
	/** `YYYY-MM-DD` in UTC. */
	readonly date: string | undefined;
	readonly images: readonly string[];
	readonly videos: readonly string[];
	readonly verified: boolean;
	/** The item as the service sent it, including unknown fields. */
	readonly source: MediaItem;
}

/** Converts a media item of operation 2 to the names used by the rest of the code. */
export function toMedia(item: MediaItem): Media {
	return {
		id: orUndefined(item._id),
		author: orUndefined(item.un),
		rating: item.rtng ?? undefined,
		title: orUndefined(item.ti),
		body: orUndefined(item.rtxt),
		date: toDate(item.cdt) ?? toDate(item.createdAt),
		images: orEmpty(item.arrimg),
		videos: orEmpty(item.arrvdo),
		verified: item.ivrfd ?? false,
		source: item,
	};
}
