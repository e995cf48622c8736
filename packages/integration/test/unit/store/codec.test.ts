import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { decode, encode } from '../../../src/store/codec.js';

const TEXT = `{"text":"${'Boils fast. 😀 '.repeat(1_000)}"}`;
const BYTES = Buffer.from(TEXT);
const GZIP = 2;

test('a text comes back, smaller in between', () => {
	const { codec, value } = encode(BYTES);
	expect(value.length).toBeLessThan(TEXT.length / 10);
	expect(decode(codec, value).toString()).toBe(TEXT);
	expect(decode(encode(Buffer.of()).codec, encode(Buffer.of()).value).toString()).toBe('');
});

test('a value brings nothing along but itself, to another thread or into a batch', () => {
	const { value } = encode(BYTES);
	expect(value.buffer.byteLength).toBe(value.byteLength);
});

/** A text as a version of Node without zstd writes it. */
function gzipped(): Uint8Array {
	const head = Buffer.alloc(4);
	head.writeUInt32LE(BYTES.length);
	return Buffer.concat([head, gzipSync(TEXT)]);
}

test('what another version of Node wrote with gzip is read', () => {
	expect(decode(GZIP, gzipped()).toString()).toBe(TEXT);
});

describe('damage is an error, never another text', () => {
	test.each<[string, number, () => Uint8Array]>([
		['its own codec', encode(BYTES).codec, () => encode(BYTES).value],
		['gzip', GZIP, gzipped],
	])('%s', (_name, codec, make) => {
		const length = make().length;
		for (let at = 0; at < length; at++) {
			const damaged = Uint8Array.from(make());
			damaged[at] = (damaged[at] ?? 0) ^ 0x10;
			let read: string | undefined;
			try {
				read = decode(codec, damaged).toString();
			} catch {
				continue;
			}
			// Parts of a header say nothing about the text. The length only says how much room it needs.
			expect(read).toBe(TEXT);
		}
		expect(() => decode(codec, make().subarray(0, length - 5))).toThrow();
	});

	test('a codec that is not known', () => {
		expect(() => decode(9, encode(BYTES).value)).toThrow(
			'The value has codec 9, which this version of Node cannot read.',
		);
	});
});
