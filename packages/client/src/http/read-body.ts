import { networkProblem, responseProblem, TryProblem } from './create-error.js';

/**
 * Reads the body of an answer as text. The limit applies to decompressed bytes as they stream, so a decompression bomb
 * costs no more than the limit, and nothing beyond it is read. The parts of the text are counted in the same way, so no
 * text takes longer to parse than its length justifies.
 *
 * @param progress updated with the number of bytes read so far.
 * @throws TryProblem for a body that is too long, too complex, compressed more than once, not UTF-8 or cut short.
 */
export async function readBody(
	response: Response,
	options: { maxBytes: number; signal: AbortSignal; progress: { bytes: number } },
): Promise<string> {
	const { maxBytes, signal, progress } = options;
	const encoding = response.headers.get('content-encoding') ?? '';
	// Runtimes decode chains of encodings, and each link multiplies the work (CVE-2026-22036).
	if (encoding.includes(',')) {
		await cancel(response.body);
		throw responseProblem(
			'content-encoding',
			(show) => `the body is compressed more than once (${show(encoding, 60)})`,
		);
	}
	if (!response.body) return '';
	const reader = response.body.getReader();
	const onAbort = () => void reader.cancel(signal.reason).catch(ignore);
	signal.addEventListener('abort', onAbort, { once: true });
	try {
		const decoder = new TextDecoder('utf-8', { fatal: true });
		const parts: string[] = [];
		const count = createShapeCounter(shapeLimits(maxBytes));
		let turnAt = TURN_AFTER;
		for (;;) {
			const { done, value } = await reader.read().catch(networkProblem);
			if (done) break;
			progress.bytes += value.byteLength;
			if (progress.bytes > maxBytes) {
				throw responseProblem('too-large', `the body is larger than ${maxBytes} bytes`);
			}
			const excess = count(value);
			if (excess) throw responseProblem('too-complex', `the body holds ${excess}`);
			parts.push(decode(decoder, value));
			if (progress.bytes < turnAt) continue;
			// Yield explicitly, because data that has already arrived is read without doing so.
			turnAt = progress.bytes + TURN_AFTER;
			await nextTurn();
		}
		signal.throwIfAborted();
		parts.push(decode(decoder));
		return parts.join('');
	} catch (error) {
		if (error instanceof TryProblem) void reader.cancel().catch(ignore);
		throw error;
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}

/** Yield to the event loop after this many bytes. */
const TURN_AFTER = 1_048_576;

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
	try {
		return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
	} catch {
		throw responseProblem('not-utf8', 'the body is not valid UTF-8');
	}
}

async function cancel(body: ReadableStream | null): Promise<void> {
	await body?.cancel().catch(ignore);
}

/** Errors of a discarded body do not matter. */
function ignore(): void {}

/**
 * Runs a task for each of many items, and yields to the event loop in between, so that a long answer does not block
 * other work in the same thread, such as rendering pages.
 *
 * @param task returns `false` to stop.
 */
export async function eachInPieces<Item>(
	items: readonly Item[],
	task: (item: Item, index: number) => boolean | undefined,
): Promise<void> {
	let pieceSince = performance.now();
	for (const [index, item] of items.entries()) {
		if (task(item, index) === false) return;
		const count = index + 1;
		if (count % LEAST_ITEMS !== 0) continue;
		// Some runtimes stop the clock while they compute.
		if (count % MOST_ITEMS !== 0 && performance.now() - pieceSince < PIECE_IN_MS) continue;
		await nextTurn();
		pieceSince = performance.now();
	}
}

/** Yields to the event loop. */
export function nextTurn(): Promise<void> {
	return new Promise((resolve) => setTimeout(resolve));
}

/** Time after which a piece ends. */
const PIECE_IN_MS = 20;

/** Minimum and maximum number of items in a piece. */
const LEAST_ITEMS = 16;

const MOST_ITEMS = 1_024;

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
