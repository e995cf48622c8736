import type { Validators } from 'product-reviews-client';
import type { DroppedParts } from '../parse/field-reader.js';
import type { Resource } from '../store/review-store.js';
import type { Packed } from '../store/values.js';
import { VERSION } from '../version.js';

/**
 * Writes an answer's validators as the text that the store keeps next to its record. It includes this package's version,
 * because another version may read more from the same answer. So a record is current only for the version that made it.
 *
 * @returns `undefined` if the service sent none.
 */
export function writeKnown(validators: Validators | undefined): string | undefined {
	return validators && JSON.stringify({ version: VERSION, ...validators });
}

/**
 * Reads what {@link writeKnown} wrote. The client checks the validators before it sends them.
 *
 * @param text from the store. It may be damaged, empty or from another version.
 * @returns `undefined` if the whole answer must be requested.
 */
export function readKnown(text: string | undefined): Validators | undefined {
	if (!text) return undefined;
	try {
		const { version, ...validators } = JSON.parse(text);
		return version === VERSION ? validators : undefined;
	} catch {
		return undefined;
	}
}

/** The processed answer of the service for one product. */
export interface Fetched {
	/** `undefined` if the stored value is still current. */
	readonly packed: Packed | undefined;
	/** Whether the service has nothing about the product. */
	readonly isEmpty: boolean;
	/** Parts that could not be read. */
	readonly dropped: DroppedParts;
	/** Validators for the next {@link ReviewService.fetch}; `undefined` if the service sent none. */
	readonly validators: string | undefined;
}

/** The ratings of a list of products, by id. Products unknown to the service are missing. */
export type Ratings = ReadonlyMap<
	string,
	{ readonly average: number; readonly count: number; readonly questionCount: number | undefined }
>;

/** Requests products from the review service, up to `concurrency` at once. */
export interface ReviewService {
	/**
	 * @param validators of the stored value, so that the service need not send it again.
	 * @throws Error that says how the service failed, or what is wrong with its answer.
	 */
	fetch(resource: Resource, pid: string, validators?: string): Promise<Fetched>;
	/** Requests the ratings of at most 100 products. @throws Error that says how the service failed. */
	fetchRatings(pids: readonly string[]): Promise<Ratings>;
	/** Moves the pending request for a product to the front. */
	prioritize(resource: Resource, pid: string): void;
	/** Ends the service. Pending and later requests fail. @param reason the error that they fail with. */
	close(reason?: Error): Promise<void>;
}
