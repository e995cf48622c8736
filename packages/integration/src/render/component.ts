import type { AggregateRating } from '../parse/rating.js';
import type { ProductReviews, ReviewData } from '../parse/record.js';
import type { Fragment, FragmentRequest, FragmentSettings } from './fragment.js';
import type { Props, RenderOptions } from './props.js';

export interface StoredData {
	readonly reviews: ProductReviews;
	readonly 'review-data': ReviewData;
	readonly rating: Rating;
}

interface Rating {
	readonly aggregate: AggregateRating | undefined;
}

/** How a component writes its fragment. */
export interface Component<From extends keyof StoredData = keyof StoredData> {
	/** The data that it is written from. */
	readonly from: From;
	/** Whether the address of the page is part of its requests. @default false */
	readonly isAddressed?: boolean;
	/**
	 * @param stored `undefined` if nothing is known about the product.
	 * @throws TypeError for an invalid prop.
	 */
	readonly write: (
		stored: StoredData[From] | undefined,
		props: Props,
		options: RenderOptions & Pick<FragmentSettings, 'ownPublishers'> & Pick<FragmentRequest, 'address'>,
	) => Fragment;
}
