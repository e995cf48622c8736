/**
 * The service's wire format: one schema per documented resource, with the service's own field names. Everything outside
 * this folder uses the names in `../records`.
 */

export { createShapeCounter, type ShapeLimits, shapeLimits } from '../http/read-body.js';
export {
	type CountSummary,
	type CrawlerReviewsResponse,
	countSummary,
	crawlerReviewsResponse,
	type MediaItem,
	mediaItem,
	OPERATIONS,
	type Operation,
	type ProductReviewDataResponse,
	productReviewDataResponse,
	type QuestionAnswer,
	questionAnswer,
	type ReviewItem,
	review,
	reviewTopic,
	SCHEMA_SCRIPT_ID,
	type StarRatingItem,
	starRatingItem,
	starRatingResponse,
	topic,
	topicSummary,
} from './schemas.js';
