import type { TextSet } from '../collections/create-text-set.js';

/** Products by their number in a list. */
export type ListOrder = Pick<TextSet, 'size' | 'indexOf' | 'at'>;

/** Products looked up at once, if pages have asked for as many in order. More take as long for each. */
const MOST = 32;

/**
 * Reads what the next pages probably show, as long as pages ask for products in the order of the list. It takes one step in
 * each turn of the event loop: while Astro waits for the disk, which it does several times for a page.
 * @param read reads products, in steps.
 * @returns a function to call with each product that a page asks for.
 */
export function createNextReader(
	order: ListOrder,
	read: (pids: readonly string[]) => Iterator<void>,
): (pid: string) => void {
	/** Number of the product that was asked for last. */
	let last = -1;
	/** How many were asked for in order. */
	let run = 0;
	/** Number of the first product that is not read. */
	let end = 0;
	let isReading = false;

	const takeSteps = (steps: Iterator<void>) => {
		if (steps.next().done) isReading = false;
		else setImmediate(takeSteps, steps).unref();
	};
	const readNext = () => {
		const start = last + 1;
		end = Math.max(start, Math.min(start + Math.min(run, MOST), order.size));
		takeSteps(read(Array.from({ length: end - start }, (_, offset) => order.at(start + offset))));
	};
	return (pid) => {
		const index = order.indexOf(pid);
		if (index === last) return;
		run = index === last + 1 ? run + 1 : 0;
		if (run === 0) end = 0;
		last = index;
		if (run === 0 || end > index + 1 || isReading) return;
		isReading = true;
		setImmediate(readNext).unref();
	};
}
