import type { AggregateRating } from '../parse/record.js';
import type { StoredData } from '../render/component.js';
import type { FragmentRequest } from '../render/fragment.js';

/**
 * One thing that a page shows about a product. A page is current while each of its fragments would be written the same, and
 * while the data that its own markup asked for is the same.
 */
export interface Dependency {
	readonly pid: string;
	/** What it was taken from. */
	readonly from: keyof StoredData;
	/** Of that data. While it is the same, so is everything that depends on it. */
	readonly version: string | undefined;
	/** Of the fragment; `undefined` for data that the page's own markup asked for. */
	readonly request?: FragmentRequest;
	/** Of the fragment's html. */
	readonly digest?: string;
	/** The rating that the page's own markup asked for. */
	readonly rating?: AggregateRating | undefined;
}
