/** Runs in the server of a site with pages rendered on demand. It uses no Node API, since some servers have none. */
export { createLiveSource } from './create-live-source.js';
