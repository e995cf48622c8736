import type { ProductReviews } from '../parse/record.js';
import type { ReviewsPlacement } from './placement.js';
import type { RenderOptions } from './render-options.js';
import { type ReviewListProps, renderProductReviews } from './render-product-reviews.js';
import { countSelected } from './select-reviews.js';

/** What `<ProductReviews>` writes of a product, and what is told of it. */
export interface WrittenReviews {
	readonly html: string;
	/** `undefined` where it writes nothing. */
	readonly placement: ReviewsPlacement | undefined;
}

/** @throws TypeError for a prop that cannot be used. */
export function writeReviews(
	product: ProductReviews | undefined,
	props: ReviewListProps & Readonly<Record<string, unknown>>,
	options: RenderOptions,
): WrittenReviews {
	const html = renderProductReviews(product, props, options);
	if (!product || html === '') return { html, placement: undefined };
	const shown = countSelected(product.reviews, props.limit);
	return {
		html,
		placement: {
			component: 'ProductReviews',
			pid: product.pid,
			display: props.display ?? options.display,
			count: product.aggregate?.count,
			shown,
			isAll: shown === product.reviews.length,
			sort: props.sort ?? 'as-sent',
		},
	};
}
