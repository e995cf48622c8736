import type { ProductId } from '../text/product-id.js';
import type { ReviewOrder } from './select-reviews.js';

/** Props of `<ReviewSchema>`. */
export interface ReviewSchemaProps {
	/** Product id, as the review service knows it; a number is read as its decimal string. */
	pid: ProductId;
	/**
	 * The page's own Product node (name, image, offers, brand, sku, `@id` ...): kept as it is, it gains
	 * `aggregateRating` and `review`. Without a `url` it gets the address of the page, and without an `@id` its `url`;
	 * on a site without `site` in the Astro configuration that is the address that the service has of the product.
	 */
	product?: Readonly<Record<string, unknown>> | undefined;
	/**
	 * `'ProductGroup'` where the page sells variants that share these reviews; `product` then holds `productGroupID`,
	 * `variesBy` and `hasVariant`.
	 * @default the `@type` of `product`, or else 'Product'
	 */
	type?: 'Product' | 'ProductGroup' | undefined;
	/**
	 * `@id` of a Product node that the page writes elsewhere, character for character: rating and reviews are written
	 * as a node of the same `@id`, without an address, and search engines join the two. Nothing is written for a
	 * product without ratings.
	 * @example 'https://shop.example/products/kettle/#product'
	 */
	id?: string | undefined;
	/** How many reviews at the most; the aggregate rating counts all the same. @default all that the service sends */
	limit?: number | undefined;
	/** Which reviews come first; give it the same as `<ProductReviews>` on the same page. @default 'as-sent' */
	sort?: ReviewOrder | undefined;
}
