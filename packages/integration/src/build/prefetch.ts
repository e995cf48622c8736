import { setImmediate } from 'node:timers/promises';

/** After how many products the event loop gets a turn: a list of fresh products never waits for anything else. */
const TURN = 200;

/**
 * Refreshes every product of a list, as many at once as there are workers. A worker takes its next product from the
 * list when it is done with the last one: the list is never held whole, and what a page asks for meanwhile waits
 * behind as many requests as there are workers at the most.
 * @throws what the list or `refresh` throws first, when the other workers are done with the product they have.
 */
export async function prefetch(
	products: AsyncGenerator<string, void, undefined>,
	workers: number,
	refresh: (pid: string) => Promise<void>,
	onDone: () => void,
): Promise<void> {
	let done = 0;
	// All workers wait for it: otherwise those that do not would read on meanwhile.
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
