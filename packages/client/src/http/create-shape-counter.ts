/** How much an answer may contain, regardless of its length. */
export interface ShapeLimits {
	/** Maximum number of values, counted by commas, braces and brackets. */
	readonly values: number;
	/** Maximum nesting of lists and objects. */
	readonly depth: number;
	/** Maximum number of distinct field names in all objects together. */
	readonly names: number;
}

/**
 * Limits for an answer of at most this many bytes. The densest documented answers have one value per 12 bytes, 6 levels
 * and 120 names. Without limits, 8 MiB can take a parser a second, and a validator minutes and gigabytes.
 */
export function shapeLimits(maxBytes: number): ShapeLimits {
	return { values: Math.max(LEAST_VALUES, maxBytes / BYTES_A_VALUE), depth: 64, names: 1_000 };
}

const BYTES_A_VALUE = 8;
const LEAST_VALUES = 10_000;

/**
 * Counts the parts of a JSON text while it arrives, before anything is parsed. It reads strings like a parser, but
 * checks nothing else. Rejecting invalid JSON is left to the parser.
 *
 * @returns a function that takes the next bytes, and returns which limit they exceed; `undefined` if none.
 */
export function createShapeCounter(limits: ShapeLimits): (bytes: Uint8Array) => string | undefined {
	/** Hashes of names. */
	const names = new Set<number>();
	let before: Count = { values: 0, depth: 0, hash: 0, rest: undefined };
	/**
	 * Whether the text starts like a list or an object. Others are not counted: pages of proxies contain brackets, too.
	 */
	let isCounted: boolean | undefined;

	return (bytes) => {
		isCounted ??= startsStructure(bytes);
		if (!isCounted) return undefined;
		// Variables of this call: those that outlive it are several times slower to change.
		let { values, depth, hash } = before;
		const { length } = bytes;
		// What of the last string is in these bytes.
		let start = 0;
		let end = before.rest === undefined ? -1 : endOfString(bytes, before.rest);
		for (let index = end + 1; index < length; index++) {
			const byte = bytes[index] as number;
			if (byte === QUOTE) {
				hash = 0;
				start = index + 1;
				end = endOfString(bytes, start);
				index = end;
			} else if (byte === COMMA) {
				values += 1;
			} else if (byte === COLON) {
				hash = addToHash(hash, bytes, start, end);
				// Once: thousands of colons may follow a long string.
				start = end;
				names.add(hash);
				if (names.size > limits.names) return `more than ${limits.names} different names of fields`;
			} else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) {
				values += 1;
				depth += 1;
				if (depth > limits.depth) return `lists and objects in more than ${limits.depth} levels`;
			} else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) {
				depth -= 1;
			}
		}
		hash = addToHash(hash, bytes, start, end);
		before = { values, depth, hash, rest: end < length ? undefined : end - length };
		return values > limits.values ? `more than ${Math.floor(limits.values)} values` : undefined;
	};
}

/** What was counted so far. */
interface Count {
	readonly values: number;
	readonly depth: number;
	/** Of the last string, as far as it was read. */
	readonly hash: number;
	/** How many of the next bytes are of an escape that was cut; `undefined` outside of strings. */
	readonly rest: number | undefined;
}

/** Whether the first visible byte opens a list or an object; `undefined` if there is none. */
function startsStructure(bytes: Uint8Array): boolean | undefined {
	const first = bytes.find((byte) => byte > SPACE);
	return first === undefined ? undefined : first === OPENING_BRACKET || first === OPENING_BRACE;
}

/**
 * The index of the quote that ends a string, or where its bytes end. If the last of them is a backslash, that is one further:
 * the byte that it escapes is still to come.
 */
function endOfString(bytes: Uint8Array, start: number): number {
	let index = start;
	while (index < bytes.length && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1;
	return index;
}

function addToHash(hash: number, bytes: Uint8Array, start: number, end: number): number {
	let sum = hash;
	for (let index = start; index < Math.min(end, bytes.length); index++) {
		sum = (Math.imul(sum, 31) + (bytes[index] as number)) | 0;
	}
	return sum;
}

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
