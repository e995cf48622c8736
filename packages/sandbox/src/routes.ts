import { controlRoutes } from './editing/control-routes.js';
import { productRoutes } from './editing/product-routes.js';
import { reviewRoutes } from './editing/review-routes.js';
import { mediaRoutes } from './media/media-routes.js';
import { crawlerReviews } from './operations/crawler-reviews.js';
import { productReviewData } from './operations/product-review-data.js';
import { starRating } from './operations/star-rating.js';
import { pageRoutes } from './page/page-routes.js';
import type { Route } from './server/route.js';
import { webhookRoutes } from './webhooks/webhook-routes.js';

/** All routes: the three documented operations, then the sandbox's own. */
export const routes: readonly Route[] = [
	starRating,
	productReviewData,
	crawlerReviews,
	...productRoutes,
	...reviewRoutes,
	...controlRoutes,
	...webhookRoutes,
	...pageRoutes,
	...mediaRoutes,
];
