/**
 * Does something with each of many items, and lets others run in between: who renders pages in the same thread is not to
 * wait for a long answer.
 *
 * @param task ends it where it returns `false`.
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

/** Lets everything run that waits for its turn. */
export function nextTurn(): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve));
}

/** How long others wait for one piece. */
const PIECE_IN_MS = 20;
/** Fewest and most items of one piece. */
const LEAST_ITEMS = 16;
const MOST_ITEMS = 1_024;
