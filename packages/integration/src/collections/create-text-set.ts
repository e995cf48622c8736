import { createColumn } from './create-column.js';

/** Texts, each once, numbered in the order in which they came. */
export interface TextSet {
	readonly size: number;
	has(text: string): boolean;
	/** The number of a text, which is added where it is new; the first one has 0. */
	add(text: string): number;
	/** -1 for a text that was not added. */
	indexOf(text: string): number;
	/** @throws RangeError where there is no such number. */
	at(index: number): string;
	/** All of them in order, those among them that are added meanwhile. */
	values(): IterableIterator<string>;
}

/** Bytes that there is room for at first. */
const ROOM = 16_384;
/** Places at first; a power of two, at least twice as many as there are texts. */
const PLACES = 2_048;

/** The first byte of a text says how the others are to be read: most are ids and addresses of a byte a letter. */
const NARROW = 0;
const WIDE = 1;
const IS_WIDE = /[^\0-\xff]/;

/**
 * Texts outside of V8's heap, in a hash table of open addresses: a text of ten letters takes 30 bytes, and no collection
 * looks at it. In a `Set` it takes 70, and V8 keeps as much again free.
 */
export function createTextSet(): TextSet {
	let bytes = Buffer.allocUnsafeSlow(ROOM);
	let places = new Uint32Array(PLACES);
	const ends = createColumn(Float64Array);
	let size = 0;
	let length = 0;

	const startOf = (index: number) => ends.get(index - 1);
	/** Writes a text behind the others. @returns where it ends. */
	const write = (text: string): number => {
		const most = length + 1 + 2 * text.length;
		if (most > bytes.length) {
			const wider = Buffer.allocUnsafeSlow(Math.max(most, 2 * bytes.length));
			bytes.copy(wider, 0, 0, length);
			bytes = wider;
		}
		const isWide = IS_WIDE.test(text);
		bytes[length] = isWide ? WIDE : NARROW;
		return length + 1 + bytes.write(text, length + 1, isWide ? 'utf16le' : 'latin1');
	};
	/** Where a text is, or would be: its number and 1 more stands there, or 0. */
	const placeOf = (start: number, end: number): number => {
		const mask = places.length - 1;
		let place = hash(bytes, start, end) & mask;
		for (let found = places[place]; found; found = places[place]) {
			const from = startOf(found - 1);
			const to = ends.get(found - 1);
			if (to - from === end - start && bytes.compare(bytes, from, to, start, end) === 0) return place;
			place = (place + 1) & mask;
		}
		return place;
	};
	const makePlaces = () => {
		places = new Uint32Array(2 * places.length);
		for (let index = 0; index < size; index++) places[placeOf(startOf(index), ends.get(index))] = index + 1;
	};
	const indexOf = (text: string) => (places[placeOf(length, write(text))] ?? 0) - 1;
	const at = (index: number) => {
		if (!(index >= 0 && index < size)) throw new RangeError(`There is no text with the number ${index}.`);
		const start = startOf(index);
		return bytes.toString(bytes[start] === WIDE ? 'utf16le' : 'latin1', start + 1, ends.get(index));
	};

	return {
		get size() {
			return size;
		},
		has: (text) => indexOf(text) >= 0,
		indexOf,
		add(text) {
			const end = write(text);
			const place = placeOf(length, end);
			const known = places[place];
			if (known) return known - 1;
			ends.set(size, end);
			length = end;
			places[place] = ++size;
			if (2 * size > places.length) makePlaces();
			return size - 1;
		},
		at,
		*values() {
			for (let index = 0; index < size; index++) yield at(index);
		},
	};
}

/** FNV-1a, of 32 bits. */
function hash(bytes: Uint8Array, start: number, end: number): number {
	let hashed = 0x811c9dc5;
	for (let index = start; index < end; index++)
		hashed = Math.imul(hashed ^ (bytes[index] as number), 0x01000193);
	return hashed ^ (hashed >>> 15);
}
