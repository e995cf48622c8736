import { NOW } from 'product-reviews-test-support/clock';
import { messageOf, OTHER_SECRET, signatureOf } from 'product-reviews-test-support/signing';
import { describe, expect, test, vi } from 'vitest';
import { standardWebhooks } from '../../../src/index.js';
import vectors from '../../corpora/webhook-vectors.json' with { type: 'json' };
import { testHandler } from '../../support/handler.js';

const [{ secret, id, timestamp, payload, signature }] = vectors.standardWebhooks as [
	(typeof vectors.standardWebhooks)[number],
];

/** A request with the vector's values, decided about at a time in seconds. */
function verify(changes: Readonly<Record<string, string>> = {}, at = timestamp, key: string = secret) {
	const headers = { 'webhook-id': id, 'webhook-timestamp': `${timestamp}`, 'webhook-signature': signature };
	// An empty value is no header.
	const given = Object.entries({ ...headers, ...changes }).filter(([, value]) => value !== '');
	const body = new TextEncoder().encode(payload);
	return standardWebhooks(key).verify({ headers: new Headers(given), body, receivedAt: at * 1_000 });
}

/** The cases of the vectors, in their order; other tables have more of each kind. */
const MUST_FAIL: readonly (readonly [header: string, value: string])[] = [
	['webhook-id', ''],
	['webhook-timestamp', ''],
	['webhook-signature', ''],
	['webhook-timestamp', 'hello'],
	['webhook-signature', 'v1,dawfeoifkpqwoekfpqoekf'],
	['webhook-signature', signature.slice(0, 8)],
	['webhook-signature', 'v1,'],
];

describe('the vectors of Standard Webhooks', () => {
	test('are genuine at their own time, with or without the prefix of the secret', async () => {
		for (const key of [secret, secret.replace('whsec_', '')])
			expect(await verify({}, timestamp, key)).toEqual({ id, validFor: 300_000 });
		for (const at of [timestamp - 301, timestamp + 301, NOW / 1_000])
			expect(await verify({}, at)).toBeUndefined();
		for (const key of ['', 'whsec_']) expect(() => verify({}, timestamp, key)).toThrow('The webhook secret');
		// What the other tests sign with is not of our own making.
		expect(signatureOf({ id, timestamp: String(timestamp), body: payload, secret })).toBe(signature);
	});

	test.each(MUST_FAIL.map((change, at) => [vectors.mustFail[at], change] as const))(
		'%s: must fail',
		async (_name, [header, value]) => {
			expect(await verify({ [header]: value })).toBeUndefined();
		},
	);

	test('are genuine among others (v1 bad, v2 any, v1 good, v1 bad)', async () => {
		const bad = signatureOf({ id, timestamp: String(timestamp), body: payload, secret: OTHER_SECRET });
		const several = [bad, signature.replace('v1', 'v2'), signature, bad].join(' ');
		expect(await verify({ 'webhook-signature': several })).toMatchObject({ id });
	});
});

test('WebCrypto gets a secret once, and nobody can take it out again', async () => {
	const importKey = vi.spyOn(crypto.subtle, 'importKey');
	const { statusOf } = testHandler();
	for (let time = 0; time < 3; time += 1) await statusOf(messageOf());
	const algorithm = { name: 'HMAC', hash: 'SHA-256' };
	expect(importKey.mock.calls).toEqual([['raw', expect.any(Uint8Array), algorithm, false, ['verify']]]);
	importKey.mockRestore();
});
