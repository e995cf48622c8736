import type { ReviewItem } from 'product-reviews-client/contract';
import type { Product, Review } from '../records.js';
import type { Complete } from './complete.js';
import type { StoreFacts } from './store-facts.js';

/** `rvwst` of a published review. The service's documentation lists no values; this one is ours. */
const PUBLISHED = 1;

/**
 * Creates one element of `data` of operation 2. Fields that the documentation does not explain are filled according to
 * their name, or left empty.
 */
export function wireReview(review: Review, product: Product, facts: StoreFacts): Complete<ReviewItem> {
	const { details } = review;
	return {
		_id: review.id,
		wsid: facts.wsid,
		un: review.author,
		ct: details.city,
		st: details.state,
		cn: details.country,
		i: details.countryCode,
		pid: review.pid,
		pn: product.name,
		pu: product.url ?? facts.productUrl(product.pid),
		piu: product.imageUrl,
		rtng: review.rating,
		rttl: review.title,
		rtxt: review.body,
		rvwst: PUBLISHED,
		shp: facts.storeName,
		arrimg: [...details.images],
		arrvdo: [...details.videos],
		irplyprvt: false,
		itstmnl: details.testimonial,
		ivrfd: details.verified,
		ipin: details.pinned,
		cntupvt: details.helpful,
		cntdwnvt: details.unhelpful,
		ircmnd: details.recommended,
		arrcustque: [],
		ipblshfb: false,
		arrtag: [...details.tags],
		pgid: '',
		cdt: review.publishedAt ?? '',
		createdAt: review.publishedAt ?? '',
		udt: review.updatedAt,
		isdmy: false,
		aitopics: details.topics.map(({ key, sentiment }) => ({ key, sentiment })),
		icntv: false,
		cst1: '',
		cst2: '',
		cst3: '',
		rvwrimg: '',
		extsrc: details.importedFrom,
	};
}
