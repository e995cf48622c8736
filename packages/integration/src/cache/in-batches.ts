/**
 * Runs an operation for many products at once. Products given in the same turn of the event loop share a batch, and its
 * result.
 */
export function inBatches<Result>(
	run: (pids: readonly string[]) => Result | Promise<Result>,
	max: number,
	nextTurn: () => Promise<unknown>,
): (pid: string) => Promise<Result> {
	let open: { readonly pids: string[]; readonly done: Promise<Result> } | undefined;
	const begin = () => {
		const pids: string[] = [];
		const batch = {
			pids,
			done: nextTurn().then(() => {
				if (open === batch) open = undefined;
				return run(pids);
			}),
		};
		return batch;
	};
	return (pid) => {
		if (!open || open.pids.length >= max) open = begin();
		open.pids.push(pid);
		return open.done;
	};
}
