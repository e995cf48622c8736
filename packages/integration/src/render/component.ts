import type { AggregateRating, ProductReviews, ReviewData } from '../parse/record.js';
import type { Fragment, FragmentRequest, FragmentSettings } from './fragment.js';
import type { Props, RenderOptions } from './props.js';

/** The stored data that components are written from, by kind. */
export interface StoredData {
	readonly reviews: ProductReviews;
	readonly 'review-data': ReviewData;
	readonly rating: Rating;
}

/** The average and count of a product, from any kind of its data. */
interface Rating {
	/** `undefined` for a product without ratings. */
	readonly aggregate: AggregateRating | undefined;
}

/** The part of a fragment that is the same on every page with the same request. It is kept in the store. */
export interface Piece extends Fragment {
	/** For `<ReviewSchema>`, whose `html` is the JSON of the reviews: everything else that it states. */
	readonly stated?: StatedProduct | undefined;
}

/** Everything that `<ReviewSchema>` states about a product, except its reviews and the page's own node. */
export interface StatedProduct {
	readonly name: string | undefined;
	/** Absolute http(s) address of the product page. */
	readonly url: string | undefined;
	/** `undefined` for a product without ratings. */
	readonly rating: AggregateRating | undefined;
	/** Number of its reviews. */
	readonly listed: number;
}

/** How a component writes its fragment. */
export interface Component<From extends keyof StoredData = keyof StoredData> {
	/** The data that it is written from. */
	readonly from: From;
	/** Whether the address of the page is part of its requests. @default false */
	readonly isAddressed?: boolean;
	/** The part of a request that decides the piece. @default all of it */
	readonly shared?: (request: FragmentRequest) => FragmentRequest;
	/**
	 * @param stored `undefined` if nothing is known about the product.
	 * @throws TypeError for an invalid prop.
	 */
	readonly write: (
		stored: StoredData[From] | undefined,
		props: Props,
		options: RenderOptions & Pick<FragmentSettings, 'publishers'>,
	) => Piece;
	/** Makes the fragment of one page from the piece. @default the piece is the fragment */
	readonly finish?: (piece: Piece, request: FragmentRequest) => Fragment;
}
