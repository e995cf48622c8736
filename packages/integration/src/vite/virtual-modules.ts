import { INTERNAL_MODULE_ID, PUBLIC_MODULE_ID, WEBHOOK_MODULE_ID } from '../constants.js';
import type { WebhookSettings } from '../options/webhook.js';
import type { RuntimeSettings } from '../runtime/index.js';

/** The sources of the virtual modules by id. They hold the settings as JSON and no program of their own. */
export function virtualModules(settings: RuntimeSettings, webhook?: WebhookSettings): Record<string, string> {
	return {
		[INTERNAL_MODULE_ID]: `import { createRuntime } from 'astro-product-reviews/runtime';
export const { getProductReviews, getStarRating, getReviewData, reviewsCacheKey, productReviewsHtml, starRatingHtml, reviewSchemaHtml, ratingSummaryHtml, reviewTopicsHtml, reviewListHtml, reviewMediaHtml, productQuestionsHtml, reviewSectionParts } = createRuntime(${JSON.stringify(settings)});
`,
		[PUBLIC_MODULE_ID]: `export { getProductReviews, getStarRating, getReviewData, reviewsCacheKey } from '${INTERNAL_MODULE_ID}';
`,
		[WEBHOOK_MODULE_ID]: `export const settings = ${JSON.stringify(webhook)};
`,
	};
}
