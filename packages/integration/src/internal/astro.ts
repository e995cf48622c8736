export { ASTRO_VERSION } from '../astro/check-environment.js';
export { type ReviewSite, reviewSites } from '../astro/review-sites.js';
