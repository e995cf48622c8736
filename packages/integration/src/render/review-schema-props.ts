import type { ProductId } from '../text/product-id.js';
import type { ReviewOrder } from './select-reviews.js';

/** Props of `<ReviewSchema>`. */
export interface ReviewSchemaProps {
	/** Product id, as the review service knows it. A number is read as its decimal string. */
	pid: ProductId;
	/**
	 * The page's own Product node (name, image, offers, brand, sku, `@id` ...). It is kept unchanged, and gains
	 * `aggregateRating` and `review`. Without a `url`, it gets the page's address, and without an `@id`, its `url`. If
	 * the Astro configuration has no `site`, that is the product's address according to the service.
	 */
	product?: Readonly<Record<string, unknown>> | undefined;
	/**
	 * `'ProductGroup'` if the page sells variants that share these reviews. `product` then contains `productGroupID`,
	 * `variesBy` and `hasVariant`.
	 * @default the `@type` of `product`, or else 'Product'
	 */
	type?: 'Product' | 'ProductGroup' | undefined;
	/**
	 * The exact `@id` of a Product node that the page writes elsewhere. The rating and reviews are written as a node
	 * with the same `@id` and no address, and search engines merge the two. Nothing is written for a product without
	 * ratings.
	 * @example 'https://shop.example/products/kettle/#product'
	 */
	id?: string | undefined;
	/** Maximum number of reviews. The aggregate rating still counts all. @default all that the service sends */
	limit?: number | undefined;
	/** Which reviews come first. Use the same value as for `<ProductReviews>` on the same page. @default 'as-sent' */
	sort?: ReviewOrder | undefined;
}
