/** Numbers by their row. */
export interface Column {
	/** 0 for a row that nothing was written to, such as -1. */
	get(row: number): number;
	set(row: number, value: number): void;
}

/** An array of numbers of one kind, such as `Uint8Array`. */
interface Numbers {
	readonly length: number;
	[row: number]: number;
	set(from: ArrayLike<number>): void;
}

/** Rows that there is room for at first. */
const ROOM = 1_024;

/**
 * Numbers outside of V8's heap, where a hundred thousand cost their own size and no collection looks at them. Room grows by
 * doubling.
 * @param Kind of array: how large a number can be.
 * @example createColumn(Uint8Array)
 */
export function createColumn(Kind: new (length: number) => Numbers): Column {
	let numbers = new Kind(ROOM);
	return {
		get: (row) => numbers[row] ?? 0,
		set(row, value) {
			if (row >= numbers.length) {
				const wider = new Kind(Math.max(row + 1, 2 * numbers.length));
				wider.set(numbers);
				numbers = wider;
			}
			numbers[row] = value;
		},
	};
}
