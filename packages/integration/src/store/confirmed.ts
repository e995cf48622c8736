import { type Packed, pack } from './pack.js';
import type { Entry } from './review-store.js';

const SUMMARY = { confirmed: true };

/**
 * The value of a mark that a person made: the product is asked for again, and what the service says is believed, also
 * where it is that many products have no reviews any more.
 */
export function packConfirmed(): Packed {
	return pack({}, SUMMARY);
}

/** Whether a mark is one of {@link packConfirmed}, younger than what is stored. */
export function isConfirmedBy(mark: Entry | undefined, stored: Entry): boolean {
	return mark?.summary === JSON.stringify(SUMMARY) && mark.fetchedAt > stored.fetchedAt;
}
