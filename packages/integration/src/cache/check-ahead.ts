import { setImmediate } from 'node:timers/promises';
import { PRODUCTS_PER_REQUEST } from './collect-ratings.js';

/** Chunks that are checked at the same time. */
export const CHUNKS_IN_FLIGHT = 4;

/** A list that is read and checked ahead of its consumer. */
export interface CheckedList {
	/** Yields each product after it has been checked. Throws what the list or the check throws. */
	readonly products: AsyncGenerator<string, void, undefined>;
	/** Resolves when everything has been checked, or nothing more will be. */
	readonly checked: Promise<void>;
}

/**
 * Reads a list to its end, as fast as its chunks can be checked. Pages wait for these checks, but not for the consumer.
 * @param chunksInFlight how many are checked at the same time.
 */
export function checkAhead(
	list: AsyncGenerator<string, void, undefined>,
	check: (chunk: readonly string[]) => Promise<void>,
	chunksInFlight = CHUNKS_IN_FLIGHT,
): CheckedList {
	const waiting: string[] = [];
	let wake = Promise.withResolvers<void>();
	let ended: { readonly error?: unknown } | undefined;
	const signal = () => {
		wake.resolve();
		wake = Promise.withResolvers();
	};

	// One after the other, so that every chunk except the last is full.
	let lastTaken: Promise<unknown> = Promise.resolve();
	const takeNext = () => {
		const taken = lastTaken.then(() => take(list));
		lastTaken = taken.catch(() => {});
		return taken;
	};
	const work = async () => {
		for (let chunk = await takeNext(); chunk.length > 0; chunk = await takeNext()) {
			await check(chunk);
			waiting.push(...chunk);
			signal();
			// Immediate answers must not block the event loop.
			await setImmediate();
		}
	};
	const checked = Promise.all(Array.from({ length: chunksInFlight }, work)).then(
		() => {
			ended = {};
			signal();
		},
		(error) => {
			ended = { error };
			signal();
		},
	);

	async function* products() {
		for (let at = 0; ; ) {
			while (at < waiting.length) yield waiting[at++] as string;
			if (ended && 'error' in ended) throw ended.error;
			if (ended) return;
			waiting.length = at = 0;
			await wake.promise;
		}
	}
	return { products: products(), checked };
}

async function take(list: AsyncGenerator<string, void, undefined>): Promise<string[]> {
	const chunk: string[] = [];
	while (chunk.length < PRODUCTS_PER_REQUEST) {
		const next = await list.next();
		if (next.done) break;
		chunk.push(next.value);
	}
	return chunk;
}
