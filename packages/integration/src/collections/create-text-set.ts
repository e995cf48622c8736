import { createColumn } from './create-column.js';

/** Distinct texts, numbered in the order in which they were added. */
export interface TextSet {
	readonly size: number;
	has(text: string): boolean;
	/** The number of a text, which is added if it is new. The first has 0. */
	add(text: string): number;
	/** -1 for a text that was not added. */
	indexOf(text: string): number;
	/** @throws RangeError if there is no such number. */
	at(index: number): string;
	/** All texts in order, including those added during the iteration. */
	values(): IterableIterator<string>;
}

/** Initial capacity, in bytes. */
const ROOM = 16_384;
/** Initial size of the hash table: a power of two, and at least twice the number of texts. */
const PLACES = 2_048;

/** The first byte of a text is its encoding. Most are ids and addresses with one byte per letter. */
const NARROW = 0;
const WIDE = 1;

/**
 * Texts outside V8's heap, in a hash table with open addressing. A text of ten letters takes 30 bytes and is not scanned by
 * garbage collection. In a `Set` it takes 70, and V8 keeps as much again in reserve.
 */
export function createTextSet(): TextSet {
	let bytes: Buffer = Buffer.allocUnsafeSlow(ROOM);
	let places = new Uint32Array(PLACES);
	const ends = createColumn(Float64Array);
	let size = 0;
	let length = 0;

	const startOf = (index: number) => ends.get(index - 1);
	/** Writes a text after the others. @returns its end. */
	const write = (text: string): number => {
		const most = length + 1 + 2 * text.length;
		if (most > bytes.length) bytes = widen(bytes, most);
		return encodeAt(bytes, length, text);
	};
	/** The slot of a text, whether it is there or not. A slot holds the text's number plus 1, or 0. */
	const placeOf = (start: number, end: number): number => {
		const mask = places.length - 1;
		let place = hash(bytes, start, end) & mask;
		for (let found = places[place]; found; found = places[place]) {
			const from = startOf(found - 1);
			const to = ends.get(found - 1);
			if (to - from === end - start && isSame(bytes, from, start, end)) return place;
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
		if (!(index >= 0 && index < size)) throw new RangeError(`There is no text number ${index}.`);
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

/**
 * Writes a text and its encoding. Most texts are so short that a call of a native function takes longer than their letters.
 * @returns its end.
 */
function encodeAt(bytes: Buffer, start: number, text: string): number {
	bytes[start] = NARROW;
	for (let index = 0; index < text.length; index++) {
		const code = text.charCodeAt(index);
		if (code > 0xff) return encodeWideAt(bytes, start, text);
		bytes[start + 1 + index] = code;
	}
	return start + 1 + text.length;
}

function encodeWideAt(bytes: Buffer, start: number, text: string): number {
	bytes[start] = WIDE;
	return start + 1 + bytes.write(text, start + 1, 'utf16le');
}

/** Whether the bytes from `from` are those between `start` and `end`. */
function isSame(bytes: Uint8Array, from: number, start: number, end: number): boolean {
	for (let index = start; index < end; index++) {
		if (bytes[index] !== bytes[from + index - start]) return false;
	}
	return true;
}

function widen(bytes: Buffer, least: number): Buffer {
	const wider = Buffer.allocUnsafeSlow(Math.max(least, 2 * bytes.length));
	bytes.copy(wider);
	return wider;
}

/** 32-bit FNV-1a. */
function hash(bytes: Uint8Array, start: number, end: number): number {
	let hashed = 0x811c9dc5;
	for (let index = start; index < end; index++)
		hashed = Math.imul(hashed ^ (bytes[index] as number), 0x01000193);
	return hashed ^ (hashed >>> 15);
}
