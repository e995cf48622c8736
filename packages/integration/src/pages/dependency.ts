import type { StoredData } from '../render/component.js';
import type { FragmentRequest } from '../render/fragment.js';

/**
 * One thing that a page shows about a product. A page is current as long as each of its fragments would be written the
 * same, and the data that its own markup requested is unchanged.
 */
export interface Dependency {
	readonly pid: string;
	/** The kind of data that it was taken from. */
	readonly from: keyof StoredData;
	/** Version of that data. If it is unchanged, so is everything that depends on it. */
	readonly version: string | undefined;
	/** Request of the fragment; `undefined` for data that the page's own markup requested. */
	readonly request?: FragmentRequest;
	/** Digest of the fragment's html, or of the rating that the page's own markup requested. */
	readonly digest?: string;
}
