/**
 * What runs in the server of a site with pages that are rendered on demand. It uses no Node API: some servers have none.
 */
export { createLiveSource } from './create-live-source.js';
