import { eventOf } from 'product-reviews-test-support/signing';
import { describe, expect, test } from 'vitest';
import { sharedHeader, WebhookConfigurationError } from '../../../src/index.js';
import { testHandler } from '../../support/handler.js';

const KEY = 'canary-key-of-the-tests';

function statusFor(headers: Record<string, string>, keys: string | string[] = KEY): Promise<number> {
	const { handle } = testHandler({ verify: sharedHeader('X-Reviews-Key', keys) });
	const request = new Request('https://shop.example/reviews', {
		method: 'POST',
		body: eventOf('p-1'),
		headers: { 'content-type': 'application/json', ...headers },
	});
	return handle(request).then(({ status }) => status);
}

test('the right key is accepted, whatever the case of the header', async () => {
	expect(await statusFor({ 'x-reviews-key': KEY })).toBe(202);
	expect(await statusFor({ 'X-REVIEWS-KEY': KEY })).toBe(202);
});

test('either of two keys is accepted while they change', async () => {
	const keys = ['another-key-of-the-tests', KEY];
	expect(await statusFor({ 'x-reviews-key': KEY }, keys)).toBe(202);
	expect(await statusFor({ 'x-reviews-key': keys[0] as string }, keys)).toBe(202);
	expect(await statusFor({ 'x-reviews-key': 'a-third-key-of-the-tests' }, keys)).toBe(401);
});

test('spaces around the key are not of it', async () => {
	expect(await statusFor({ 'x-reviews-key': KEY }, ` ${KEY}\n`)).toBe(202);
});

test.each([
	['that is empty', ''],
	['without the last character', KEY.slice(0, -1)],
	['with one more character', `${KEY}x`],
	['in upper case', KEY.toUpperCase()],
	['twice', `${KEY}, ${KEY}`],
	['with a space in it', KEY.replace('-', ' ')],
])('a key %s is refused', async (_name, key) => {
	expect(await statusFor({ 'x-reviews-key': key })).toBe(401);
});

test('a missing header is named', async () => {
	expect(await statusFor({})).toBe(400);
});

describe('what cannot be configured', () => {
	test.each([
		['x reviews', KEY],
		['', KEY],
		['x:y', KEY],
		[undefined, KEY],
		['x-key', 'too-short'],
		['x-key', ' '.repeat(20)],
		['x-key', undefined],
		['x-key', []],
		['x-key', [KEY, '']],
	])('%s with %j', (name, key) => {
		expect(() => sharedHeader(name as string, key as string)).toThrow(WebhookConfigurationError);
	});

	test('is told without the key', () => {
		expect(() => sharedHeader('x-key', ['canary', KEY])).toThrow(
			expect.objectContaining({ message: expect.not.stringContaining('canary') }),
		);
	});
});

test('nothing random happens before the first request: some platforms forbid it while a module loads', () => {
	const { generateKey } = crypto.subtle;
	let calls = 0;
	crypto.subtle.generateKey = (() => {
		calls += 1;
		throw new Error('Not allowed here.');
	}) as unknown as typeof generateKey;
	try {
		sharedHeader('x-key', KEY);
	} finally {
		// An own property hides the method of the prototype.
		delete (crypto.subtle as { generateKey?: unknown }).generateKey;
	}
	expect(calls).toBe(0);
	expect(crypto.subtle.generateKey).toBe(generateKey);
});
