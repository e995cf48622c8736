import { setImmediate } from 'node:timers/promises';
import { createTextSet } from '../collections/create-text-set.js';
import { ProductListError } from '../errors.js';
import { describeCause } from '../failures/describe-failure.js';
import { checkProductId, emptyList, LIST_HINT } from '../options/check-product-ids.js';
import type { ProductList, ProductSource } from '../options/schema.js';
import type { ListOrder } from './source.js';

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

/** Yield to the event loop after this many products. Without it, a list of fresh products would never yield. */
const TURN = 200;

/**
 * Refreshes every product of a list, one per worker at a time. A worker takes its next product from the list when it is
 * done with the last one. So the list is never held in memory as a whole, and a request of a page waits behind at most
 * one request per worker.
 * @throws the first error of the list or of `refresh`, after the other workers have finished their current product.
 */
export async function prefetch(
	products: AsyncGenerator<string, void, undefined>,
	workers: number,
	refresh: (pid: string) => Promise<void>,
	onDone: () => void,
): Promise<void> {
	let done = 0;
	// All workers wait for it. Otherwise the others would read on.
	let turn: Promise<unknown> | undefined;
	let failure: { readonly error: unknown } | undefined;
	const work = async () => {
		try {
			for (let next = await products.next(); !next.done && !failure; next = await products.next()) {
				await refresh(next.value);
				onDone();
				if (++done % TURN === 0) turn = setImmediate();
				await turn;
			}
		} catch (error) {
			failure ??= { error };
		}
	};
	await Promise.all(Array.from({ length: workers }, work));
	await products.return();
	if (failure) throw failure.error;
}
