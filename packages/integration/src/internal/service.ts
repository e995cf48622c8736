export { startReviewService } from '../service/start-review-service.js';
export type { ServiceThread } from '../service/start-service-thread.js';
