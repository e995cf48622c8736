import { NOW } from 'product-reviews-test-support/clock';
import { messageOf, OTHER_SECRET, SECRET } from 'product-reviews-test-support/signing';
import { describe, expect, test } from 'vitest';
import { standardWebhooks, type Verify, type VerifyFunction } from '../../../src/index.js';
import { testHandler } from '../../support/handler.js';

function throws(): never {
	throw new Error('Not today.');
}

describe('a verify function that', () => {
	test.each<[string, VerifyFunction, number]>([
		['returns true', () => true, 202],
		['resolves to true', async () => true, 202],
		['returns what it found out', () => ({ id: 'x' }), 202],
		['returns false', () => false, 401],
		['resolves to false', async () => false, 401],
		['returns nothing', () => undefined, 401],
		['returns null', () => null as never, 401],
		['returns 1', () => 1 as never, 401],
		['returns a text', () => 'yes' as never, 401],
		['returns a function', () => (() => true) as never, 401],
		['throws', throws, 401],
		['rejects', async () => throws(), 401],
	])('%s', async (_name, verify, status) => {
		const { statusOf, changes } = testHandler({ verify });
		expect(await statusOf(messageOf())).toBe(status);
		expect(changes).toHaveLength(status === 202 ? 1 : 0);
	});

	test('throws is heard of, and the sender is not told', async () => {
		const { statusOf, errors } = testHandler({ verify: throws });
		await statusOf(messageOf());
		expect(errors).toEqual([new Error('Not today.')]);
	});

	test('looks sees the bytes, the headers and the time', async () => {
		const seen: unknown[] = [];
		const { statusOf } = testHandler({
			verify: ({ headers, body, receivedAt }) => {
				seen.push(headers.get('x-any'), [...body], receivedAt);
				return true;
			},
		});
		await statusOf(messageOf({ body: Uint8Array.of(0xff) }), { headers: { 'x-any': 'any' } });
		expect(seen).toEqual(['any', [0xff], NOW]);
	});
});

describe('of several verifiers', () => {
	test.each<[string, Verify, number]>([
		['the last may be the one', [() => false, throws, standardWebhooks(SECRET)], 202],
		['the first may be the one', [standardWebhooks(SECRET), () => false], 202],
		['none may be', [() => false, throws, standardWebhooks(OTHER_SECRET)], 401],
	])('%s', async (_name, verify, status) => {
		expect(await testHandler({ verify }).statusOf(messageOf())).toBe(status);
	});

	test('none is asked after one that found the request genuine', async () => {
		let asked = 0;
		const verify = [standardWebhooks(SECRET), () => ++asked > 0];
		await testHandler({ verify }).statusOf(messageOf());
		expect(asked).toBe(0);
	});
});
