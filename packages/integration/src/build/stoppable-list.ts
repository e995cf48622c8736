/** A list that can be left before its end. */
export interface StoppableList {
	readonly products: AsyncGenerator<string, void, undefined>;
	/** Ends the list for its readers, even while the next product is pending. */
	stop(): void;
}

export function stoppableList(list: AsyncGenerator<string, void, undefined>): StoppableList {
	let isStopped = false;
	let wake = () => {};
	async function* products() {
		while (!isStopped) {
			const next = await new Promise<IteratorResult<string, void> | undefined>((resolve, reject) => {
				wake = () => resolve(undefined);
				list.next().then(resolve, reject);
			});
			if (!next || next.done) return;
			yield next.value;
		}
	}
	return {
		products: products(),
		stop() {
			isStopped = true;
			wake();
			// Ends the merchant's own generator as soon as it yields again, without waiting for it.
			list.return().catch(() => {});
		},
	};
}
