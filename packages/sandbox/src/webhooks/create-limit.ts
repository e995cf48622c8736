/** Runs a task as soon as fewer than the most allowed run; tasks start in the order in which they were given. */
export type Limit = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Makes a limit of how many tasks run at once. */
export function createLimit(most: number): Limit {
	let running = 0;
	const waiting: (() => void)[] = [];
	return async (task) => {
		if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
		else running += 1;
		try {
			return await task();
		} finally {
			// A place goes from hand to hand: were it given back first, a task that comes just then would take it.
			const next = waiting.shift();
			if (next) next();
			else running -= 1;
		}
	};
}
