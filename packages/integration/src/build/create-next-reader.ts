import type { TextSet } from '../collections/create-text-set.js';

/** Products by their number in a list. */
export type ListOrder = Pick<TextSet, 'size' | 'indexOf' | 'at'>;

/** Products read at once, if pages have asked for as many in order. More take as long for each. */
const MOST = 16;

/**
 * Reads what the next pages probably show while Astro waits for the disk, as long as pages ask for products in the order of
 * the list. Some at once take less time for each than one after every page. That saves a tenth of the wall time and of the
 * processor time of a build in which nothing changed (5,000 pages).
 * @returns a function to call with each product that a page asks for.
 */
export function createNextReader(
	order: ListOrder,
	read: (pids: readonly string[]) => void,
): (pid: string) => void {
	/** Number of the product that was asked for last. */
	let last = -1;
	/** How many were asked for in order. */
	let run = 0;
	/** Number of the first product that is not read. */
	let end = 0;
	let isWaiting = false;

	const readNext = () => {
		isWaiting = false;
		const start = last + 1;
		end = Math.min(start + Math.min(run, MOST), order.size);
		if (end > start) read(Array.from({ length: end - start }, (_, offset) => order.at(start + offset)));
	};
	return (pid) => {
		const index = order.indexOf(pid);
		if (index === last) return;
		run = index === last + 1 ? run + 1 : 0;
		if (run === 0) end = 0;
		last = index;
		if (run === 0 || end > index + 1 || isWaiting) return;
		isWaiting = true;
		setImmediate(readNext).unref();
	};
}
