import { createHash } from 'node:crypto';
import type { Product } from '../records.js';
import { SEED_PRODUCTS, type SeedProduct } from '../seed/products.js';
import { createRandom } from '../seed/random.js';

/** The seeded product to draw for a product: itself, or else a fixed one of its category. */
export function looksLike({ pid, category }: Pick<Product, 'pid' | 'category'>): SeedProduct {
	const own = SEED_PRODUCTS.find((product) => product.pid === pid);
	if (own) return own;
	const siblings = SEED_PRODUCTS.filter((product) => product.category === category);
	const random = createRandom(createHash('sha256').update(pid).digest().readUInt32LE());
	return random.pick(siblings.length > 0 ? siblings : SEED_PRODUCTS);
}
