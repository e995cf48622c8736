import type { MediaItem } from 'product-reviews-client/contract';
import type { Product, Review } from '../records.js';
import type { Complete } from './complete.js';
import { wireReview } from './review.js';
import type { StoreFacts } from './store-facts.js';

/** Creates one element of `dataMedia` of operation 2: the pictures and videos of one review, and the review's fields. */
export function wireMediaItem(review: Review, product: Product, facts: StoreFacts): Complete<MediaItem> {
	const { rttl, icntv: _notDocumentedHere, ...shared } = wireReview(review, product, facts);
	return {
		...shared,
		_id: `${review.id}-media`,
		mde: review.details.videos.length > 0 ? 'video' : 'image',
		ti: rttl,
		fa: '',
		orgnlrtxt: review.body,
		cnid: [],
		arrvdoazr: [],
		arrgrppid: [],
		istsupdeml: false,
		csvid: '',
		__v: 0,
	};
}
