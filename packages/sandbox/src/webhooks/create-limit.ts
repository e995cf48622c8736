/** Runs a task as soon as the limit allows. Tasks start in the order they were passed. */
export type Limit = <Result>(task: () => Promise<Result>) => Promise<Result>;

/** Limits how many tasks run at once. */
export function createLimit(most: number): Limit {
	let running = 0;
	const waiting: (() => void)[] = [];
	return async (task) => {
		if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
		else running += 1;
		try {
			return await task();
		} finally {
			// The slot is handed over directly: if it were freed first, a new task could take it.
			const next = waiting.shift();
			if (next) next();
			else running -= 1;
		}
	};
}
