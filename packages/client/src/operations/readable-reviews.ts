import { review } from '../contract/index.js';

/** What a review needs to be one. */
const readable = review.pick({ _id: true, pid: true, rtng: true });

/**
 * An answer of operation 2 without the reviews that lack what a review needs: one of them must not cost the product all
 * others. An answer in which none can be read stays as it is.
 * @param json of the answer, unchecked.
 */
export function withReadableReviews(json: unknown): { readonly json: unknown; readonly unreadable: number } {
	const asItCame = { json, unreadable: 0 };
	if (typeof json !== 'object' || json === null || !('data' in json) || !Array.isArray(json.data)) {
		return asItCame;
	}
	const data = json.data.filter((item) => readable.safeParse(item).success);
	return data.length === 0
		? asItCame
		: { json: { ...json, data }, unreadable: json.data.length - data.length };
}
