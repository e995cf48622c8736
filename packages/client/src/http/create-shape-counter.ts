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
	const seen = new Uint8Array(NAME_SLOTS);
	let [values, depth, names, name] = [0, 0, 0, 0];
	let isInString = false;
	let isEscaped = false;
	/**
	 * Whether the text starts like a list or an object. Others are not counted: pages of proxies contain brackets, too.
	 */
	let isCounted: boolean | undefined;

	return (bytes) => {
		for (let index = 0; index < bytes.length && isCounted !== false; index++) {
			const byte = bytes[index] as number;
			if (isInString) {
				if (isEscaped) isEscaped = false;
				else if (byte === BACKSLASH) isEscaped = true;
				else if (byte === QUOTE) isInString = false;
				name = (Math.imul(name, 31) + byte) | 0;
			} else if (byte === QUOTE) {
				isInString = true;
				name = 0;
			} else if (byte === COMMA) {
				values += 1;
			} else if (byte === COLON) {
				const slot = (name ^ (name >>> 15)) & (NAME_SLOTS - 1);
				names += 1 - (seen[slot] as number);
				seen[slot] = 1;
			} else if (byte === OPENING_BRACKET || byte === OPENING_BRACE) {
				values += 1;
				depth += 1;
				if (depth > limits.depth) return `lists and objects in more than ${limits.depth} levels`;
			} else if (byte === CLOSING_BRACKET || byte === CLOSING_BRACE) {
				depth -= 1;
			}
			if (isCounted === undefined && byte > SPACE) isCounted = depth > 0;
		}
		if (values > limits.values) return `more than ${Math.floor(limits.values)} values`;
		if (names > limits.names) return `more than ${limits.names} different names of fields`;
		return undefined;
	};
}

/** Slots for hashes of names, a power of two. Enough that few of a thousand names collide. */
const NAME_SLOTS = 65_536;

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
