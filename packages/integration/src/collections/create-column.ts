/** Numbers by their row. */
export interface Column {
	/** 0 for a row that was never written, such as -1. */
	get(row: number): number;
	set(row: number, value: number): void;
}

/** An array of numbers of one kind, such as `Uint8Array`. */
interface Numbers {
	readonly length: number;
	[row: number]: number;
	set(from: ArrayLike<number>): void;
}

/** Initial capacity, in rows. */
const ROOM = 1_024;

/**
 * Numbers outside V8's heap, where a hundred thousand take only their own size and are not scanned by garbage collection.
 * The capacity doubles when it is full.
 * @param Kind type of the array, which limits the numbers.
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
