/** Lists of product ids that have yet to be requested. */
export interface ListQueue {
	/** The next list; `undefined` if there is none at the moment. */
	next(): readonly string[] | undefined;
	/** Puts back a list that the service rejected as too long. From then on, lists have at most half its length. */
	putBackHalved(list: readonly string[]): void;
}

/**
 * Splits ids into lists, and into shorter ones if the service rejects a list. Halves go first, so that a single faulty id
 * is found after a few requests and not after all of them.
 */
export function createListQueue(pids: readonly string[], maxLength: number): ListQueue {
	const halves: (readonly string[])[] = [];
	let length = maxLength;
	let position = 0;
	return {
		next() {
			const half = halves.pop();
			if (half) return half;
			if (position >= pids.length) return undefined;
			const list = pids.slice(position, position + length);
			position += list.length;
			return list;
		},
		putBackHalved(list) {
			const middle = Math.ceil(list.length / 2);
			length = Math.min(length, middle);
			halves.push(list.slice(middle), list.slice(0, middle));
		},
	};
}
