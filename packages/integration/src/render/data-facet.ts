import type { ReviewData } from '../parse/review-data.js';

/** Which part of a product's review data a page shows: a change of another part leaves the page as it is. */
export interface DataFacet {
	readonly part: 'data';
	/** @default all of it */
	readonly of?: readonly (keyof ReviewData)[] | undefined;
}

/** That part, as a value that changes exactly when it does. */
export function dataFacetOf(data: ReviewData | undefined, { of }: DataFacet): unknown {
	return data && of ? of.map((key) => data[key]) : data;
}
