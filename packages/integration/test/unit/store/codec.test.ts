import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decode, encode } from '../../../src/store/values.js';

const TEXT = `{"text":"${'Boils fast. 😀 '.repeat(1_000)}"}`;

/** A text as a version of Node without zstd writes it. */
function gzipped() {
	const head = Buffer.alloc(4);
	head.writeUInt32LE(Buffer.byteLength(TEXT));
	return { codec: 2, value: Buffer.concat([head, gzipSync(TEXT)]) };
}

test.each([
	['this version of Node', () => encode(Buffer.from(TEXT))],
	['another one', gzipped],
])('what %s wrote is small and comes back; damage is an error, never another text', (_name, make) => {
	const { codec, value } = make();
	expect(value.length).toBeLessThan(TEXT.length / 10);
	expect(decode(codec, value).toString()).toBe(TEXT);
	for (let at = 0; at < value.length; at++) {
		const damaged = Uint8Array.from(value);
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
	expect(() => decode(codec, value.subarray(0, value.length - 5))).toThrow();
	expect(() => decode(9, value)).toThrow('The value has codec 9, which this version of Node cannot read.');
});

test('a value brings nothing along but itself, to another thread or into a batch, also an empty one', () => {
	for (const text of ['', TEXT]) {
		const { codec, value } = encode(Buffer.from(text));
		expect(value.buffer.byteLength).toBe(value.byteLength);
		expect(decode(codec, value).toString()).toBe(text);
	}
});
