import { createHmac, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { verifyHmacAtOnce } from '../../../src/node/verify-hmac-at-once.js';
import { verifyHmac } from '../../../src/verify/verify-hmac.js';

/** Test cases 1, 2 and 4 of RFC 4231: key, data and HMAC-SHA-256. */
const RFC_4231 = [
	[
		'0b'.repeat(20),
		Buffer.from('Hi There').toString('hex'),
		'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
	],
	[
		Buffer.from('Jefe').toString('hex'),
		Buffer.from('what do ya want for nothing?').toString('hex'),
		'5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
	],
	[
		'0102030405060708090a0b0c0d0e0f10111213141516171819',
		'cd'.repeat(50),
		'82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b',
	],
] as const;

const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));

describe.each([
	['WebCrypto', verifyHmac],
	['Node', verifyHmacAtOnce],
])('the HMAC of %s', (_name, verify) => {
	test.each(RFC_4231)('is that of RFC 4231: key %s', async (key, data, hmac) => {
		expect(await verify(bytes(key), bytes(hmac), bytes(data))).toBe(true);
		expect(await verify(bytes(key), bytes(hmac), bytes(`${data}00`))).toBe(false);
		expect(await verify(bytes(`${key}01`), bytes(hmac), bytes(data))).toBe(false);
	});

	test('is refused where one bit is another, where it is cut, longer or empty', async () => {
		const [secret, content] = [new Uint8Array(randomBytes(32)), new Uint8Array(randomBytes(300))];
		const right = new Uint8Array(createHmac('sha256', secret).update(content).digest());
		expect(await verify(secret, right, content)).toBe(true);
		for (let bit = 0; bit < 256; bit += 1) {
			const wrong = right.with(bit >> 3, (right[bit >> 3] ?? 0) ^ (1 << (bit & 7)));
			expect(await verify(secret, wrong, content)).toBe(false);
		}
		for (const wrong of [right.slice(0, 31), new Uint8Array([...right, 0]), new Uint8Array()]) {
			expect(await verify(secret, wrong, content)).toBe(false);
		}
	});
});
