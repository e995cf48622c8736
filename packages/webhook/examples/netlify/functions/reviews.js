// netlify/functions/reviews.js
export { receiveReviews as default } from '../../receive-reviews.js';

/** @type {import('@netlify/functions').Config} */
export const config = { path: '/api/reviews' };
