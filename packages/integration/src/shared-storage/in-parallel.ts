/**
 * Runs an operation for every item, some at the same time. After one that fails, no other is started.
 * @param most how many run at the same time.
 */
export async function inParallel<Item extends {}>(
	items: readonly Item[],
	most: number,
	run: (item: Item) => Promise<void>,
): Promise<void> {
	const waiting = items.values();
	let isOver = false;
	const work = async () => {
		for (const item of waiting) {
			if (isOver) return;
			await run(item);
		}
	};
	try {
		await Promise.all(Array.from({ length: Math.min(most, items.length) }, work));
	} finally {
		isOver = true;
	}
}
