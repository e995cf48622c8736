/**
 * Runs an operation for every item, some at the same time. After one that fails, no other is started, and those under way
 * are waited for: whoever holds a lock for them may then release it.
 * @param most how many run at the same time.
 * @throws what the first one threw.
 */
export async function inParallel<Item>(
	items: readonly Item[],
	most: number,
	run: (item: Item, index: number) => Promise<void>,
): Promise<void> {
	const waiting = items.entries();
	const failures: unknown[] = [];
	const work = async () => {
		for (const [index, item] of waiting) {
			if (failures.length > 0) return;
			await run(item, index).catch((error) => failures.push(error));
		}
	};
	await Promise.all(Array.from({ length: Math.min(most, items.length) }, work));
	if (failures.length > 0) throw failures[0];
}
