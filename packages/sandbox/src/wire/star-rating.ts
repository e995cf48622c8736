import type { StarRatingItem } from 'product-reviews-client/contract';
import type { RatingSummary } from '../database/rating-summary.js';
import type { Complete } from './complete.js';

/** Creates one element of `data` of operation 1. */
export function wireStarRating(
	pid: string,
	summary: RatingSummary,
	questionCount: number,
): Complete<StarRatingItem> {
	return {
		pid,
		avgrtng: summary.average,
		prtng: summary.count,
		html: summary.count === 0 ? '' : starsHtml(summary),
		isReqSyncWoo: false,
		queCount: questionCount,
	};
}

function starsHtml({ average, count }: RatingSummary): string {
	const full = Math.round(average);
	const stars = '★'.repeat(full) + '☆'.repeat(5 - full);
	return `<span class="rvw-stars" title="${average}/5">${stars}</span> <span class="rvw-count">(${count})</span>`;
}
