import type { CountSummary } from 'product-reviews-client/contract';
import type { RatingSummary } from '../database/rating-summary.js';
import type { Review } from '../records.js';
import type { Complete } from './complete.js';
import { wireTopics } from './topics.js';

/** Creates `dataCount` of operation 2 from the published reviews of one product. */
export function wireCountSummary(
	pid: string,
	wsid: string,
	summary: RatingSummary,
	reviews: readonly Review[],
): Complete<CountSummary> {
	return {
		pid,
		wsid,
		avgrtng: summary.average,
		prtng: summary.count,
		str1: countStars(reviews, 1),
		str2: countStars(reviews, 2),
		str3: countStars(reviews, 3),
		str4: countStars(reviews, 4),
		str5: countStars(reviews, 5),
		rcmnd: reviews.filter(({ details }) => details.recommended).length,
		...wireTopics(reviews, pid, wsid),
		isReqSyncWoo: false,
	};
}

/** Half stars are rounded up, so that the five counts add up to the total. */
function countStars(reviews: readonly Review[], stars: number): number {
	return reviews.filter(({ rating }) => Math.round(rating) === stars).length;
}
