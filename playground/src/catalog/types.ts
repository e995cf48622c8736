import type { MotifName } from 'product-reviews-sandbox/illustration';

export type CategorySlug = 'kitchen' | 'home' | 'garden' | 'outdoor' | 'desk' | 'kids';

/** One product of the shop. */
export interface Product {
	/** Id of the product in the review service. */
	readonly pid: string;
	readonly slug: string;
	readonly name: string;
	readonly category: CategorySlug;
	/** The object in its picture. */
	readonly motif: MotifName;
	/** In euro, with tax. */
	readonly price: number;
	/** Number in stock; 0 means sold out. */
	readonly stock: number;
	/** Two to four sentences. */
	readonly description: string;
	readonly material: string;
	readonly size: string;
	readonly care: string;
}

/** A product as listed in the file of its category. */
export type ProductEntry = Omit<Product, 'category'>;

/** At or below this stock, the shop shows how many are left. */
export const LOW_STOCK = 5;
