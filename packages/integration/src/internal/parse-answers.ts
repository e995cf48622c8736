export { readPayload } from '../parse/read-payload.js';
export { readReviewData } from '../parse/read-review-data.js';
