import type { MotifName } from 'product-reviews-sandbox/illustration';

export type CategorySlug = 'kitchen' | 'home' | 'garden' | 'outdoor' | 'desk' | 'kids';

/** One thing in the shop. */
export interface Product {
	/** The id under which the review service knows the product. */
	readonly pid: string;
	readonly slug: string;
	readonly name: string;
	readonly category: CategorySlug;
	/** What its picture shows. */
	readonly motif: MotifName;
	/** In euro, with tax. */
	readonly price: number;
	/** Pieces in the warehouse; none means sold out. */
	readonly stock: number;
	/** Two to four sentences. */
	readonly description: string;
	readonly material: string;
	readonly size: string;
	readonly care: string;
}

/** A product as its category's file lists it. */
export type ProductEntry = Omit<Product, 'category'>;

/** From this many pieces down, the shop says how many are left. */
export const LOW_STOCK = 5;
