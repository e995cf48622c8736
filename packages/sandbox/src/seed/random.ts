/** A source of numbers that gives the same ones for the same seed. */
export interface Random {
	/** At least 0, below 1. */
	next(): number;
	/** A whole number from `from` to `to`, both included. */
	between(from: number, to: number): number;
	/** True with this probability, 0 to 1. */
	chance(probability: number): boolean;
	/** One of a list that is not empty. */
	pick<Item>(items: readonly Item[]): Item;
	/** The items in another order. */
	shuffle<Item>(items: readonly Item[]): Item[];
}

/** Makes a source of numbers: mulberry32, 32 bits of state, good enough for texts and faults. */
export function createRandom(seed: number): Random {
	let state = seed >>> 0;
	const next = () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
	return {
		next,
		between,
		chance: (probability) => next() < probability,
		pick(items) {
			const item = items[between(0, items.length - 1)];
			if (item === undefined) throw new RangeError('There is nothing to pick from.');
			return item;
		},
		shuffle(items) {
			return items
				.map((item) => ({ item, order: next() }))
				.sort((a, b) => a.order - b.order)
				.map(({ item }) => item);
		},
	};
}
