import products from '../data/products.json' with { type: 'json' };
import type { Product } from '../records.js';
import { createRandom } from './random.js';

export type ProductCategory = 'kitchen' | 'home' | 'garden' | 'outdoor' | 'desk' | 'kids';

/** A product of the seeded store. */
export interface SeedProduct {
	/** Product ID, `p-1` to `p-60`. */
	readonly pid: string;
	readonly name: string;
	readonly category: ProductCategory;
	/** URL slug: lower-case letters, digits and hyphens. */
	readonly slug: string;
	/** The object in its pictures: one of `data/motifs.json`. */
	readonly motif: string;
}

/**
 * The catalog of "Fjell & Form", a fictional store: 60 products, ten in each category. The seeded reviews are about
 * these products; a demo shop can build its pages from the same list.
 *
 * @example
 * import { SEED_PRODUCTS } from 'product-reviews-sandbox';
 * const kitchen = SEED_PRODUCTS.filter(({ category }) => category === 'kitchen');
 */
export const SEED_PRODUCTS = products as readonly SeedProduct[];

/** The seeded product to draw for a product: itself, or else a fixed one of its category. */
export function looksLike({ pid, category }: Pick<Product, 'pid' | 'category'>): SeedProduct {
	const own = SEED_PRODUCTS.find((product) => product.pid === pid);
	if (own) return own;
	const siblings = SEED_PRODUCTS.filter((product) => product.category === category);
	const random = createRandom(pid);
	return random.pick(siblings.length > 0 ? siblings : SEED_PRODUCTS);
}
