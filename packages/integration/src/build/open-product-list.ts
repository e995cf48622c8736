import { createTextSet } from '../collections/create-text-set.js';
import type { ProductSource } from '../options/schema.js';
import { readProductList } from './read-product-list.js';
import { stoppableList } from './stoppable-list.js';

/** Products in the order of a list, which may still grow; a `Set` is one, too. */
export interface ProductOrder {
	readonly size: number;
	has(pid: string): boolean;
	values(): Iterator<string>;
}

/** The product list of one build, and what is known of it so far. */
export interface OpenProductList {
	/** Each product once. Throws as {@link readProductList} does. */
	readonly products: AsyncGenerator<string, void, undefined>;
	/** Its products, as far as it was read. */
	readonly seen: ProductOrder;
	/** Products that the list holds more than once. */
	readonly duplicates: ReadonlySet<string>;
	/** Ends the list where it is. */
	stop(): void;
}

/** @param onLength is told how many products there will be, where the list says so; again when a duplicate was found. */
export function openProductList(source: ProductSource, onLength: (length: number) => void): OpenProductList {
	const seen = createTextSet();
	const duplicates = new Set<string>();
	let length: number | undefined;
	const list = readProductList(source, {
		seen,
		onLength(given) {
			length = given;
			onLength(given);
		},
		onDuplicate(pid) {
			duplicates.add(pid);
			if (length !== undefined) onLength(--length);
		},
	});
	return { ...stoppableList(list), seen, duplicates };
}
