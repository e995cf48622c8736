import { setImmediate } from 'node:timers/promises';

/** Yield to the event loop after this many products. Without it, a list of fresh products would never yield. */
const TURN = 200;

/**
 * Refreshes every product of a list, one per worker at a time. A worker takes its next product from the list when it is
 * done with the last one. So the list is never held in memory as a whole, and a request of a page waits behind at most
 * one request per worker.
 * @throws the first error of the list or of `refresh`, after the other workers have finished their current product.
 */
export async function prefetch(
	products: AsyncGenerator<string, void, undefined>,
	workers: number,
	refresh: (pid: string) => Promise<void>,
	onDone: () => void,
): Promise<void> {
	let done = 0;
	// All workers wait for it. Otherwise the others would read on.
	let turn: Promise<unknown> | undefined;
	let failure: { readonly error: unknown } | undefined;
	const work = async () => {
		try {
			for (let next = await products.next(); !next.done && !failure; next = await products.next()) {
				await refresh(next.value);
				onDone();
				if (++done % TURN === 0) turn = setImmediate();
				await turn;
			}
		} catch (error) {
			failure ??= { error };
		}
	};
	await Promise.all(Array.from({ length: workers }, work));
	await products.return();
	if (failure) throw failure.error;
}
