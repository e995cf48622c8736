/** Items that wait, one behind the other. */
export interface Line<Item> {
	/** Puts an item behind all others. */
	add(item: Item): void;
	/** Puts an item before all others. */
	addFirst(item: Item): void;
	/** Takes the first item out; `undefined` where there is none. */
	takeFirst(): Item | undefined;
	/** Takes out an item that is wanted, wherever it stands; `undefined` where there is none. */
	take(isWanted: (item: Item) => boolean): Item | undefined;
}

/** A line of two stacks: `shift()` of one array moves all that wait, which takes seconds with 50,000 of them. */
export function createLine<Item>(): Line<Item> {
	// The last one is next.
	let front: Item[] = [];
	// In order, behind all of those.
	let back: Item[] = [];
	return {
		add: (item) => void back.push(item),
		addFirst: (item) => void front.push(item),
		takeFirst() {
			if (front.length === 0) [front, back] = [back.reverse(), front];
			return front.pop();
		},
		take(isWanted) {
			for (const stack of [front, back]) {
				const index = stack.findIndex(isWanted);
				if (index >= 0) return stack.splice(index, 1)[0];
			}
			return undefined;
		},
	};
}
