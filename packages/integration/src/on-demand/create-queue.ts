/** Runs tasks, a few at once. */
export interface Queue {
	/** @param isFirst whether it goes before all tasks that wait and are not. */
	run<Result>(task: () => Promise<Result>, isFirst: boolean): Promise<Result>;
}

/** @param current how many tasks may run at once now; asked whenever one is added and whenever one has ended. */
export function createQueue(current: () => number): Queue {
	const first: (() => void)[] = [];
	const others: (() => void)[] = [];
	let running = 0;

	const startNext = () => {
		while (running < current()) {
			const start = first.shift() ?? others.shift();
			if (!start) return;
			running += 1;
			start();
		}
	};
	return {
		run<Result>(task: () => Promise<Result>, isFirst: boolean) {
			const { promise, resolve, reject } = Promise.withResolvers<Result>();
			const start = () =>
				void task()
					.then(resolve, reject)
					.finally(() => {
						running -= 1;
						startNext();
					});
			(isFirst ? first : others).push(start);
			startNext();
			return promise;
		},
	};
}
