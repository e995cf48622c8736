/** Why a part of a payload was left out, cut, or taken from the other half of the answer. */
export type DropReason =
	| 'text-unreadable'
	| 'text-cut'
	| 'rating-unusable'
	| 'address-refused'
	| 'date-unreadable'
	| 'review-empty'
	| 'review-beyond-limit'
	| 'review-lists-differ'
	| 'rating-differs'
	| 'structured-data-unreadable'
	| 'html-unreadable'
	| 'part-unreadable'
	| 'part-beyond-limit'
	| 'count-unusable'
	| 'contact-details-removed'
	| 'other-product';

/** How many parts a payload lost, by reason. Reasons that did not occur are left out. */
export type DroppedParts = Readonly<Partial<Record<DropReason, number>>>;

/** Called for each part that is lost while a payload is read. */
export type Drop = (reason: DropReason) => void;

/** Counts lost parts. */
export function createDropCounter(): { readonly drop: Drop; readonly dropped: DroppedParts } {
	const dropped: Partial<Record<DropReason, number>> = {};
	return {
		drop(reason) {
			dropped[reason] = (dropped[reason] ?? 0) + 1;
		},
		dropped,
	};
}
