import type { AggregateRating, ProductReviews } from '../parse/record.js';
import type { ReviewData } from '../parse/review-data.js';
import type { Fragment, FragmentRequest, FragmentSettings } from './fragment.js';
import type { StatedReviews } from './state-reviews.js';

/** What a component is written from, by the name of what is stored. */
export interface StoredData {
	readonly reviews: ProductReviews;
	readonly 'review-data': ReviewData;
	readonly rating: Rating;
}

/** Average and count of a product, from whichever of its data. */
interface Rating {
	/** `undefined` for a product without ratings. */
	readonly aggregate: AggregateRating | undefined;
}

/** What of a fragment is the same on every page that makes the same request: it is kept in the store. */
export interface Piece extends Fragment {
	/** Of `<ReviewSchema>`, whose `html` is the JSON of the reviews: the rest of what it states. */
	readonly stated?: Omit<StatedReviews, 'reviews'> | undefined;
}

/** How a component writes its fragment. */
export interface Component<From extends keyof StoredData = keyof StoredData> {
	/** What it is written from. */
	readonly from: From;
	/** Whether the address of the page is part of its requests. @default false */
	readonly isAddressed?: boolean;
	/** The part of a request that decides the piece. @default all of it */
	readonly shared?: (request: FragmentRequest) => FragmentRequest;
	/**
	 * @param stored `undefined` if nothing is known about the product.
	 * @throws TypeError for a prop that cannot be used.
	 */
	readonly write: (
		stored: StoredData[From] | undefined,
		request: FragmentRequest,
		settings: FragmentSettings,
	) => Piece;
	/** Makes the fragment of one page from the piece. @default the piece is the fragment */
	readonly finish?: (piece: Piece, request: FragmentRequest) => Fragment;
}
