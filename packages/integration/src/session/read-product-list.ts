import { ProductListError } from '../errors.js';
import { describeCause } from '../failures/describe-failure.js';
import { checkProductId, emptyList, LIST_HINT } from '../options/check-product-ids.js';
import type { ProductList, ProductSource } from '../options/schema.js';

/** Receives the contents of a product list while it is read. */
export interface ListObserver {
	/** All ids so far. */
	readonly seen: { readonly size: number; add(pid: string): unknown };
	/** Called with the number of ids, if the list has a length. */
	onLength(length: number): void;
	/** Called with each id that appears again. */
	onDuplicate(pid: string): void;
}

/**
 * Yields each id of a product list once.
 * @throws ProductListError if the list throws, is empty, or contains anything other than product ids.
 */
export async function* readProductList(
	source: ProductSource,
	observer: ListObserver,
): AsyncGenerator<string, void, undefined> {
	let index = 0;
	for await (const id of guarded(source, observer)) {
		const pid = checkProductId(id, index++);
		const known = observer.seen.size;
		observer.seen.add(pid);
		if (observer.seen.size === known) observer.onDuplicate(pid);
		else yield pid;
	}
	if (index === 0) throw emptyList();
}

/** Wraps errors of the merchant's own code in one that names the option. */
async function* guarded(
	source: ProductSource,
	observer: ListObserver,
): AsyncGenerator<unknown, void, undefined> {
	try {
		const list = typeof source === 'function' ? checkList(await source()) : source;
		if (Array.isArray(list)) observer.onLength(list.length);
		else if (list instanceof Set) observer.onLength(list.size);
		yield* list;
	} catch (cause) {
		if (cause instanceof ProductListError) throw cause;
		throw new ProductListError(
			'PR_PRODUCT_LIST_UNREADABLE',
			`The product list could not be read: ${describeCause(cause)}`,
			`${LIST_HINT} The error came from there.`,
			{ cause },
		);
	}
}

function checkList(list: unknown): ProductList {
	const isList =
		typeof list === 'object' && list !== null && (Symbol.iterator in list || Symbol.asyncIterator in list);
	if (isList) return list as ProductList;
	const given = list === undefined || list === null ? 'nothing' : `a value of type ${typeof list}`;
	throw new ProductListError(
		'PR_PRODUCT_LIST_UNREADABLE',
		`The function of the product list returned ${given}.`,
		`${LIST_HINT} It must return an array, an iterable or an async iterable of product ids, or a promise of one.`,
	);
}
