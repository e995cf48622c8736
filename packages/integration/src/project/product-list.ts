import { setImmediate } from 'node:timers/promises';
import { within } from '../base/async.js';
import { describeCause } from '../base/failures.js';
import { checkProductId, emptyList, LIST_HINT } from '../base/product-id.js';
import { amount } from '../base/words.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import type { ProductList, ProductSource } from '../options/schema.js';

/** Time for which a list may give nothing before that is said, once, and before it is given up, in milliseconds. */
const SILENCE = { said: 30_000, most: 300_000 };

/** @param warn called once if the list gives nothing for a while. */
export function openProductList(
	source: ProductSource,
	onLength: (length: number) => void = () => {},
	warn: (message: string) => void = () => {},
) {
	const pids: string[] = [];
	const seen = new Map<string, number>();
	const duplicates = new Set<string>();
	let length: number | undefined;
	let isStopped = false;
	let wake = () => {};
	let isSaid = false;

	async function* readDistinct() {
		let index = 0;
		const setLength = (given: number) => {
			length = given;
			onLength(given);
		};
		for await (const id of readItems(source, setLength)) {
			const pid = checkProductId(id, index++);
			if (seen.has(pid)) {
				duplicates.add(pid);
				if (length !== undefined) setLength(length - 1);
				continue;
			}
			seen.set(pid, pids.length);
			pids.push(pid);
			yield pid;
		}
		if (index === 0) throw emptyList();
	}

	const list = readDistinct();
	const takeNext = () =>
		new Promise<IteratorResult<string, void> | undefined>((resolve, reject) => {
			wake = () => resolve(undefined);
			list.next().then(resolve, reject);
		});
	/** Does not keep the process alive: whoever waits for the list does. */
	const awaitNext = (next: ReturnType<typeof takeNext>) => {
		const onSilence = () => {
			if (!isSaid) warn(describeSilence(pids.length));
			isSaid = true;
			return within(next, SILENCE.most - SILENCE.said, () => giveUp(pids.length), false);
		};
		return within(next, SILENCE.said, onSilence, false);
	};
	async function* readUntilStopped(): AsyncGenerator<string, void, undefined> {
		while (!isStopped) {
			const next = await awaitNext(takeNext());
			if (!next || next.done) return;
			yield next.value;
		}
	}
	return {
		products: readUntilStopped(),
		pids: pids as readonly string[],
		seen: seen as ReadonlyMap<string, number>,
		duplicates: duplicates as ReadonlySet<string>,
		stop(): void {
			isStopped = true;
			wake();
			// Ends the merchant's own generator as soon as it yields again, without waiting for it.
			list.return().catch(() => {});
		},
	};
}

function describeSilence(given: number): string {
	return `The product list has given ${productsAfter(given)} for ${SILENCE.said / 1_000} seconds. It is given up after ${SILENCE.most / 60_000} minutes. ${LIST_HINT} [PR_PRODUCT_LIST_UNREADABLE]`;
}

function giveUp(given: number): never {
	throw new ProductReviewsConfigurationError(
		'PR_PRODUCT_LIST_UNREADABLE',
		`The product list was given up: it gave ${productsAfter(given)} for ${SILENCE.most / 60_000} minutes.`,
		`${LIST_HINT} Look for what it waits for, such as a request without a time limit. A list that takes longer to read can be an async generator, which gives products while it reads.`,
	);
}

function productsAfter(given: number): string {
	return given === 0 ? 'no product' : `no further product after ${amount(given)}`;
}

async function* readItems(
	source: ProductSource,
	onLength: (length: number) => void,
): AsyncGenerator<unknown, void, undefined> {
	try {
		const list = typeof source === 'function' ? await source() : source;
		assertList(list);
		assertUnread(list);
		if (Array.isArray(list)) onLength(list.length);
		else if (list instanceof Set) onLength(list.size);
		yield* list;
	} catch (cause) {
		if (cause instanceof ProductReviewsConfigurationError) throw cause;
		throw new ProductReviewsConfigurationError(
			'PR_PRODUCT_LIST_UNREADABLE',
			`The product list could not be read: ${describeCause(cause)}`,
			`${LIST_HINT} The error came from there.`,
			{ cause },
		);
	}
}

function assertList(list: unknown): asserts list is ProductList {
	if (typeof list === 'object' && list !== null && (Symbol.iterator in list || Symbol.asyncIterator in list))
		return;
	const given = list === undefined || list === null ? 'nothing' : `a value of type ${typeof list}`;
	throw new ProductReviewsConfigurationError(
		'PR_PRODUCT_LIST_UNREADABLE',
		`The function of the product list returned ${given}.`,
		`${LIST_HINT} It must return an array, an iterable or an async iterable of product IDs, or a promise of one.`,
	);
}

const READ = new WeakSet<object>();

/** @throws ProductReviewsConfigurationError for a generator or another iterator that was read before: it has no product left. */
function assertUnread(list: ProductList): void {
	if (!('next' in list)) return;
	if (READ.has(list)) {
		throw new ProductReviewsConfigurationError(
			'PR_PRODUCT_LIST_UNREADABLE',
			'The product list can be read only once, and something has read it before.',
			`${LIST_HINT} Give a function that makes it anew: "products: () => ..." or the generator function itself.`,
		);
	}
	READ.add(list);
}

/** Yield to the event loop after this many products. Without it, a list of fresh products would never yield. */
const TURN = 200;

/**
 * Refreshes every product of a list, one per worker at a time. A worker takes its next product from the list when it is
 * done with the last one. So the list is never held in memory as a whole, and a request of a page waits behind at most
 * one request per worker.
 */
export async function prefetch(
	products: AsyncGenerator<string, void, undefined>,
	workers: number,
	refresh: (pid: string) => Promise<void>,
): Promise<void> {
	let done = 0;
	// All workers wait for it. Otherwise the others would read on.
	let turn: Promise<unknown> | undefined;
	const failures: unknown[] = [];
	const fail = (error: unknown) => void failures.push(error);
	const work = async () => {
		for await (const pid of products) {
			if (failures.length > 0) return;
			await refresh(pid).catch(fail);
			if (++done % TURN === 0) turn = setImmediate();
			await turn;
		}
	};
	await Promise.all(Array.from({ length: workers }, () => work().catch(fail)));
	if (failures.length > 0) throw failures[0];
}

/** Products that pages must ask for before anything is fetched ahead, so a site with few such pages fetches no more. */
const SAMPLE = 4;

/** Maximum number of products fetched ahead of the pages. */
const WINDOW = 256;

/**
 * Fetches products of a list ahead of the pages that ask for them. Otherwise each page would wait for its own request, one page
 * after the other. The more products pages have asked for, the more are fetched ahead, up to twice as many: it is
 * unknown whether all pages need them.
 * @param checked resolves when it is known which stored products are outdated; `undefined` if it is.
 * @returns a function to call with each product that a page asks for.
 */
export function followPages(
	pids: readonly string[],
	checked: Promise<unknown> | undefined,
	refresh: (pid: string) => Promise<void>,
): (pid: string) => void {
	const asked = new Set<string>();
	const ahead = new Set<string>();
	let passed = 0;
	let isKnown = checked === undefined;
	const follow = () => {
		if (!isKnown || asked.size < SAMPLE) return;
		const most = Math.min(WINDOW, 2 * asked.size);
		for (; passed < pids.length && ahead.size < most; passed++) {
			const pid = pids[passed] as string;
			if (asked.has(pid)) continue;
			ahead.add(pid);
			// The page that asks for it reports the failure.
			refresh(pid).catch(() => {});
		}
	};
	void checked?.then(() => {
		isKnown = true;
		follow();
	});
	return (pid) => {
		asked.add(pid);
		ahead.delete(pid);
		follow();
	};
}
