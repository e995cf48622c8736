import type { ProductReviews } from '../../../src/parse/record.js';
import { renderReviewSchema } from '../../../src/render/render-review-schema.js';
import type { ReviewSchemaProps } from '../../../src/render/review-schema-props.js';
import { stateReviews } from '../../../src/render/state-reviews.js';
import { toProductNode } from '../../../src/render/to-product-node.js';

/** The html of `<ReviewSchema>` with these props. */
export function renderSchema(
	product: ProductReviews | undefined,
	props: Omit<ReviewSchemaProps, 'pid'>,
	publishers?: readonly string[],
): string {
	const stated = product && stateReviews(product, props, publishers);
	return renderReviewSchema(toProductNode(stated, props), stated?.reviews);
}
