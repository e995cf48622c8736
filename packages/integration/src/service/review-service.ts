import type { Validators } from 'product-reviews-client';
import type { DroppedParts } from '../parse/field-reader.js';
import type { Resource } from '../store/review-store.js';
import type { Packed } from '../store/values.js';
import { VERSION } from '../version.js';

/**
 * Writes an answer's validators as the text that the store keeps next to its record. It includes this package's
 * version, because another version may read more from the same answer. So a record is current only for the version that
 * made it.
 */
export function writeKnown(validators: Validators | undefined): string | undefined {
	return validators && JSON.stringify({ version: VERSION, ...validators });
}

/** Reads what {@link writeKnown} wrote. The client checks the validators before it sends them. */
export function readKnown(text: string | undefined): Validators | undefined {
	if (!text) return undefined;
	try {
		const { version, ...validators } = JSON.parse(text);
		return version === VERSION ? validators : undefined;
	} catch {
		return undefined;
	}
}

export interface Fetched {
	readonly packed: Packed | undefined;
	readonly isEmpty: boolean;
	/** Parts that could not be read. */
	readonly dropped: DroppedParts;
	readonly validators: string | undefined;
}

/** The ratings of a list of products, by id. Products unknown to the service are missing. */
export type Ratings = ReadonlyMap<
	string,
	{ readonly average: number; readonly count: number; readonly questionCount: number | undefined }
>;

export interface ReviewService {
	fetch(resource: Resource, pid: string, validators?: string): Promise<Fetched>;
	fetchRatings(pids: readonly string[]): Promise<Ratings>;
	prioritize(resource: Resource, pid: string): void;
	/** Ends the service. Pending and later requests fail. */
	close(reason?: Error): Promise<void>;
}
