import { createTextSet } from '../collections/create-text-set.js';
import type { ProductSource } from '../options/schema.js';
import type { ListOrder } from './create-next-reader.js';
import { readProductList } from './read-product-list.js';

/** Products in the order of a list that may still grow. A `Set` qualifies. */
export interface ProductOrder {
	readonly size: number;
	has(pid: string): boolean;
	values(): Iterator<string>;
}

/** The product list of one build, and what is known about it so far. */
export interface OpenProductList {
	/** Each product once. Throws as {@link readProductList} does. */
	readonly products: AsyncGenerator<string, void, undefined>;
	/** Its products, as far as it has been read. */
	readonly seen: ProductOrder & ListOrder;
	/** Products that the list contains more than once. */
	readonly duplicates: ReadonlySet<string>;
	/** Ends the list early. */
	stop(): void;
}

/** @param onLength called with the number of products, if the list has a length, and again after each duplicate. */
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

/** A list that can be left before its end. */
interface StoppableList {
	readonly products: AsyncGenerator<string, void, undefined>;
	/** Ends the list for its readers, even while the next product is pending. */
	stop(): void;
}

export function stoppableList(list: AsyncGenerator<string, void, undefined>): StoppableList {
	let isStopped = false;
	let wake = () => {};
	async function* products() {
		while (!isStopped) {
			const next = await new Promise<IteratorResult<string, void> | undefined>((resolve, reject) => {
				wake = () => resolve(undefined);
				list.next().then(resolve, reject);
			});
			if (!next || next.done) return;
			yield next.value;
		}
	}
	return {
		products: products(),
		stop() {
			isStopped = true;
			wake();
			// Ends the merchant's own generator as soon as it yields again, without waiting for it.
			list.return().catch(() => {});
		},
	};
}
