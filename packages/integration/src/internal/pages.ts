export { fullAddress } from '../pages/name-page.js';
export type { KeyCounts } from '../pages/page-keys.js';
export type { FileProof, StoredPage } from '../pages/stored-page.js';
