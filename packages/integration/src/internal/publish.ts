export { fileNames, findFile } from '../publish/find-file.js';
export { findKey } from '../publish/find-key.js';
export { tellIndexNow } from '../publish/index-now.js';
export { openOutput } from '../publish/open-output.js';
export type { GivenProducts } from '../publish/publish.js';
export type { PageToRebuild, Published } from '../publish/published.js';
export { type PublishTarget, runPublish } from '../publish/run-publish.js';
