/** Lists of product ids that are still to be asked for. */
export interface ListQueue {
	/** The next list; `undefined` when there is none at the moment. */
	next(): readonly string[] | undefined;
	/** Takes a list back that the service found too long. Lists are no longer than its half from then on. */
	putBackHalved(list: readonly string[]): void;
}

/**
 * Cuts ids into lists, and into shorter ones when the service refuses a list. Halves go first: when a single id is
 * at fault, it is found after a few requests, not after all of them.
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
