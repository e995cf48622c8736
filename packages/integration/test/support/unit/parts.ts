import type { ReviewData } from '../../../src/parse/review-data.js';
import type { RenderOptions } from '../../../src/render/render-options.js';
import { renderFullReviewList } from '../../../src/render/review-data/render-full-review-list.js';
import { renderProductQuestions } from '../../../src/render/review-data/render-product-questions.js';
import { renderRatingSummary } from '../../../src/render/review-data/render-rating-summary.js';
import { renderReviewMedia } from '../../../src/render/review-data/render-review-media.js';
import { reviewSection } from '../../../src/render/review-data/render-review-section.js';
import { renderReviewTopics } from '../../../src/render/review-data/render-review-topics.js';
import { renderOptions } from './record.js';

/** The html of each component of review data, by its name. */
export function writeParts(
	data: ReviewData | undefined,
	props: Readonly<Record<string, unknown>> = {},
	options: RenderOptions = renderOptions(),
): Record<string, string> {
	const request = { component: 'ReviewSection', props, language: options.language };
	return {
		RatingSummary: renderRatingSummary(data, props, options),
		ReviewTopics: renderReviewTopics(data, props, options),
		ReviewList: renderFullReviewList(data, props, options).html,
		ReviewMedia: renderReviewMedia(data, props, options),
		ProductQuestions: renderProductQuestions(data, props, options),
		ReviewSection: reviewSection.write(data, request, options).html,
	};
}
