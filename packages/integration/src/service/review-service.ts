import type { DroppedParts } from '../parse/dropped-parts.js';
import type { Packed } from '../store/pack.js';
import type { Resource } from '../store/review-store.js';

/** What was made of the service's answer for one product. */
export interface Fetched {
	/** `undefined`: what is stored is still current. */
	readonly packed: Packed | undefined;
	/** Whether the service has nothing of the product. */
	readonly isEmpty: boolean;
	/** What could not be read of it. */
	readonly dropped: DroppedParts;
	/** What {@link ReviewService.fetch} can be given next time; `undefined` where the service sends nothing for it. */
	readonly validators: string | undefined;
}

/** What the service says of the ratings of a list of products, by id. One that it knows nothing of is not in it. */
export type Ratings = ReadonlyMap<
	string,
	{ readonly average: number; readonly count: number; readonly questionCount: number | undefined }
>;

/** Asks the review service for products, as many at once as the option `concurrency` says. */
export interface ReviewService {
	/**
	 * @param validators of what is stored, so that the service need not send it again.
	 * @throws Error that says what the service did, or what is wrong with its answer.
	 */
	fetch(resource: Resource, pid: string, validators?: string): Promise<Fetched>;
	/** Asks for the ratings of at most 100 products. @throws Error that says what the service did. */
	fetchRatings(pids: readonly string[]): Promise<Ratings>;
	/** Moves a product that waits for its turn to the front. */
	prioritize(resource: Resource, pid: string): void;
	/** Ends it; what still waits fails, and so does what is asked later. @param reason what they fail with. */
	close(reason?: Error): Promise<void>;
}
