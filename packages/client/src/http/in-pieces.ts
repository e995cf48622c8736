/**
 * Runs a task for each of many items, and yields to the event loop in between, so that a long answer does not block
 * other work in the same thread, such as rendering pages.
 *
 * @param task returns `false` to stop.
 */
export async function eachInPieces<Item>(
	items: readonly Item[],
	task: (item: Item, index: number) => boolean | undefined,
): Promise<void> {
	let pieceSince = performance.now();
	for (const [index, item] of items.entries()) {
		if (task(item, index) === false) return;
		const count = index + 1;
		if (count % LEAST_ITEMS !== 0) continue;
		// Some runtimes stop the clock while they compute.
		if (count % MOST_ITEMS !== 0 && performance.now() - pieceSince < PIECE_IN_MS) continue;
		await nextTurn();
		pieceSince = performance.now();
	}
}

/** Yields to the event loop. */
export function nextTurn(): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve));
}

/** Time after which a piece ends. */
const PIECE_IN_MS = 20;
/** Minimum and maximum number of items in a piece. */
const LEAST_ITEMS = 16;
const MOST_ITEMS = 1_024;
