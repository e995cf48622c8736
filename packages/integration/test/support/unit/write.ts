import type { ProductReviews } from '../../../src/parse/record.js';
import { renderProductReviews } from '../../../src/render/render-product-reviews.js';
import { renderStarRating } from '../../../src/render/render-star-rating.js';
import { renderOptions } from './record.js';
import { renderSchema } from './schema.js';

const OPTIONS = renderOptions();

export type Display = 'hidden' | 'visible' | 'details';

/** The html of `<ProductReviews>` with the default options. */
export function writeReviews(product: ProductReviews, display: Display = 'hidden'): string {
	return renderProductReviews(product, { display }, OPTIONS);
}

/** The html of `<ReviewSchema>` on a page that states nothing of its own. */
export function writeSchema(product: ProductReviews): string {
	return renderSchema(product, {});
}

/** What all components write for a product, one after the other. */
export function writeAll(product: ProductReviews, display?: Display): string {
	return (
		renderStarRating(product.aggregate, {}, OPTIONS) + writeReviews(product, display) + writeSchema(product)
	);
}
