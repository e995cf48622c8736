import { createHash } from 'node:crypto';

export interface Random extends ReturnType<typeof createRandom> {}

/** Creates a generator, the same for the same seed: mulberry32, with 32 bits of state, is good enough for faults. */
export function createRandom(seed: number | string) {
	const isText = typeof seed === 'string';
	let state = isText ? createHash('sha256').update(seed).digest().readUInt32LE() : seed >>> 0;
	/** Returns at least 0, below 1. */
	const next = () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	/** Returns a whole number from `from` to `to`, inclusive. */
	const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
	return {
		next,
		between,
		/** Returns true with this probability, 0 to 1. */
		chance: (probability: number) => next() < probability,
		/** @param items at least one. */
		pick: <Item>(items: readonly Item[]) => items[between(0, items.length - 1)] as Item,
		shuffle: <Item>(items: readonly Item[]): Item[] =>
			items
				.map((item) => ({ item, order: next() }))
				.sort((a, b) => a.order - b.order)
				.map(({ item }) => item),
	};
}
