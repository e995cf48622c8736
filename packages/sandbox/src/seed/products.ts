import products from '../data/products.json' with { type: 'json' };
import type { MotifName } from '../illustration/scene.js';

/** Category of a product; review texts are written per category. */
export type ProductCategory = 'kitchen' | 'home' | 'garden' | 'outdoor' | 'desk' | 'kids';

/** A product of the seeded store. */
export interface SeedProduct {
	/** Product id, `p-1` to `p-60`. */
	readonly pid: string;
	readonly name: string;
	readonly category: ProductCategory;
	/** URL slug: lower-case letters, digits and hyphens. */
	readonly slug: string;
	/** The object in its pictures. */
	readonly motif: MotifName;
}

/**
 * The catalogue of "Fjell & Form", a fictional store: 60 products, ten in each category. The seeded reviews are about
 * these products; a demo shop can build its pages from the same list.
 *
 * @example
 * import { SEED_PRODUCTS } from 'product-reviews-sandbox';
 * const kitchen = SEED_PRODUCTS.filter(({ category }) => category === 'kitchen');
 */
export const SEED_PRODUCTS = products as readonly SeedProduct[];
