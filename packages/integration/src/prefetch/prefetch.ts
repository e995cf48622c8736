import { setImmediate } from 'node:timers/promises';

/** After how many products the event loop gets a turn: a list of fresh products never waits for anything else. */
const TURN = 200;

/**
 * Refreshes every product of a list, as many at once as there are workers. A worker takes its next product from the
 * list when it is done with the last one: the list is never held whole, and what a page asks for meanwhile waits
 * behind as many requests as there are workers at the most.
 * @throws what the list or `refresh` throws; the other workers end with the product they have.
 */
export async function prefetch(
	products: AsyncGenerator<string, void, undefined>,
	workers: number,
	refresh: (pid: string) => Promise<void>,
	onDone: () => void,
): Promise<void> {
	let done = 0;
	const work = async () => {
		for (let next = await products.next(); !next.done; next = await products.next()) {
			await refresh(next.value);
			onDone();
			if (++done % TURN === 0) await setImmediate();
		}
	};
	try {
		await Promise.all(Array.from({ length: workers }, work));
	} finally {
		await products.return();
	}
}
