// api/reviews.js
export { receiveReviews as POST } from '../receive-reviews.js';
