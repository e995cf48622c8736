import type { Random } from './random.js';

/** Draws items so that none repeats before all others have been drawn. */
export interface Deck<Item> {
	draw(): Item;
}

/** Creates a deck from a non-empty list. */
export function createDeck<Item>(items: readonly Item[], random: Random): Deck<Item> {
	let left: Item[] = [];
	return {
		draw() {
			if (left.length === 0) left = random.shuffle(items);
			const item = left.pop();
			if (item === undefined) throw new RangeError('The deck is empty.');
			return item;
		},
	};
}
