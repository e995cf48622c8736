import { messageOf } from 'product-reviews-test-support/signing';
import { expect, test, vi } from 'vitest';
import { sharedHeader, WebhookConfigurationError } from '../../../src/index.js';
import { testHandler } from '../../support/handler.js';

const KEY = 'canary-key-of-the-tests';
const SHORTEST = 'x'.repeat(16);

function statusFor(headers: Record<string, string>, keys: string | string[] = KEY): Promise<number> {
	const { statusOf } = testHandler({ verify: sharedHeader('X-Reviews-Key', keys) });
	return statusOf(messageOf(), { headers });
}

test.each(['x-reviews-key', 'X-REVIEWS-KEY'])('the right key is accepted in the header %s', async (name) => {
	expect(await statusFor({ [name]: KEY })).toBe(202);
});

test('a missing header is named', async () => {
	expect(await statusFor({})).toBe(400);
	expect(sharedHeader('X-Reviews-Key', KEY).headers).toEqual(['x-reviews-key']);
});

test('either of two keys is accepted while they change', async () => {
	const keys = ['another-key-of-the-tests', KEY];
	for (const key of keys) expect(await statusFor({ 'x-reviews-key': key }, keys)).toBe(202);
	expect(await statusFor({ 'x-reviews-key': 'a-third-key-of-the-tests' }, keys)).toBe(401);
});

test('spaces around the key are not of it, and sixteen characters are enough', async () => {
	expect(await statusFor({ 'x-reviews-key': KEY }, ` ${KEY}\n`)).toBe(202);
	expect(await statusFor({ 'x-reviews-key': SHORTEST }, SHORTEST)).toBe(202);
});

test.each([
	['that is empty', ''],
	['without the last character', KEY.slice(0, -1)],
	['with one more character', `${KEY}x`],
	['with another last character', KEY.replace(/.$/, 'x')],
	['in upper case', KEY.toUpperCase()],
	['twice', `${KEY}, ${KEY}`],
	['with a space in it', KEY.replace('-', ' ')],
])('a key %s is refused', async (_name, key) => {
	expect(await statusFor({ 'x-reviews-key': key })).toBe(401);
});

test.each(['x reviews', '', 'x:y', ' x', 'x ', 'größe', undefined, 5])(
	'%j is no name of a header',
	(name) => {
		const configure = () => sharedHeader(name as string, KEY);
		expect(configure).toThrow(WebhookConfigurationError);
		expect(configure).toThrow('must be the name of a header');
	},
);

test('a key that is missing or can be guessed cannot be configured', () => {
	const short = ['too-short', 'x'.repeat(15), ' '.repeat(20), ` ${'x'.repeat(15)} `, ''];
	for (const key of [...short, undefined, [], [KEY, ''], [KEY, 5], { length: 1, 0: KEY }]) {
		const message = 'A secret of sharedHeader("x-key", ...) is missing or shorter than 16 characters.';
		const error = expect.objectContaining({ code: 'PR_WEBHOOK_SECRET', message });
		expect(() => sharedHeader('x-key', key as string), String(key)).toThrow(error);
	}
});

test('nothing random happens before the first request: some platforms forbid it while a module loads', async () => {
	const generateKey = vi.spyOn(crypto.subtle, 'generateKey');
	const { statusOf } = testHandler({ verify: sharedHeader('x-key', KEY) });
	expect(generateKey).not.toHaveBeenCalled();
	for (let time = 0; time < 2; time += 1) await statusOf(messageOf(), { headers: { 'x-key': KEY } });
	// Once for all requests, and not to be taken out of the process.
	expect(generateKey.mock.calls).toEqual([[{ name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']]]);
	generateKey.mockRestore();
});
