import type { Random } from './random.js';

/** Draws items so that none comes again before all others have come. */
export interface Deck<Item> {
	draw(): Item;
}

/** Makes a deck over a list that is not empty. */
export function createDeck<Item>(items: readonly Item[], random: Random): Deck<Item> {
	let left: Item[] = [];
	return {
		draw() {
			if (left.length === 0) left = random.shuffle(items);
			const item = left.pop();
			if (item === undefined) throw new RangeError('There is nothing to draw from.');
			return item;
		},
	};
}
