/** Ids to choose from. More would delay the first one of a list that is slow to read. */
const MOST_WAITING = 1_000;

/** A list in random order: each next product is any of those that are waiting. @param random 0 to less than 1. */
export async function* shuffled(
	list: AsyncGenerator<string, void, undefined>,
	random: () => number = Math.random,
): AsyncGenerator<string, void, undefined> {
	const waiting: string[] = [];
	const takeOne = () => {
		const index = Math.floor(random() * waiting.length);
		const taken = waiting[index] as string;
		waiting[index] = waiting.at(-1) as string;
		waiting.pop();
		return taken;
	};
	for await (const pid of list) {
		waiting.push(pid);
		if (waiting.length > MOST_WAITING) yield takeOne();
	}
	while (waiting.length > 0) yield takeOne();
}
