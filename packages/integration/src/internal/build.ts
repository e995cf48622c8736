export { createProgress } from '../build/create-progress.js';
export { keepAlive } from '../build/keep-alive.js';
export {
	type BuildPlaces,
	describeBuild,
	isBuiltHere,
	type LastBuild,
	lastBuildFile,
	readLastBuild,
	type WrittenBuild,
	writeLastBuild,
} from '../build/last-build.js';
export { lockOutput } from '../build/lock-output.js';
export type { OpenBuildStorage } from '../build/open-build-storage.js';
export { openProductList } from '../build/open-product-list.js';
export { type OpenReviews, openReviews, type ReviewsContext } from '../build/open-reviews.js';
export { prefetch } from '../build/prefetch.js';
export { readBuildChanges } from '../build/read-build-changes.js';
export type { ChangedProducts } from '../build/read-changed-products.js';
export { readProductList } from '../build/read-product-list.js';
export type { Logger, SiteContext } from '../build/run-context.js';
export { shareWithOthers } from '../build/share-with-others.js';
export { tellOthers } from '../build/tell-others.js';
export { type EnvironmentFile, readEnvironment, readEnvironmentFiles } from '../build/trust.js';
