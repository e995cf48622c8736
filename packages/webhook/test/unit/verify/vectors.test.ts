import { createHmac } from 'node:crypto';
import { NOW } from 'product-reviews-test-support/clock';
import { eventOf, messageOf, OTHER_SECRET, SECRET, signatureOf } from 'product-reviews-test-support/signing';
import { expect, test } from 'vitest';
import { standardWebhooks, type VerifyFunction } from '../../../src/index.js';
import vectors from '../../corpora/webhook-vectors.json' with { type: 'json' };
import { testHandler } from '../../support/handler.js';

const [vector] = vectors.standardWebhooks;
if (!vector) throw new Error('The vector is missing.');
const { secret, id, timestamp, payload, signature } = vector;

/** A request with the vector's values, decided about at a time in seconds. */
function isGenuine(
	changes: Readonly<Record<string, string | undefined>> = {},
	at = timestamp,
	key: string = secret,
) {
	const headers = {
		'webhook-id': id,
		'webhook-timestamp': String(timestamp),
		'webhook-signature': signature,
		...changes,
	};
	return standardWebhooks(key).verify({
		headers: new Headers(
			Object.entries(headers).filter((header): header is [string, string] => header[1] !== undefined),
		),
		body: new TextEncoder().encode(payload),
		receivedAt: at * 1_000,
	});
}

test('the vector is genuine at its own time', async () => {
	expect(await isGenuine()).toEqual({ id, validFor: 300_000 });
});

test('the vector is not genuine today', async () => {
	expect(await isGenuine({}, NOW / 1_000)).toBeUndefined();
});

const MUST_FAIL: Record<string, () => Promise<unknown>> = {
	'missing webhook-id': () => isGenuine({ 'webhook-id': undefined }),
	'missing webhook-timestamp': () => isGenuine({ 'webhook-timestamp': undefined }),
	'missing webhook-signature': () => isGenuine({ 'webhook-signature': undefined }),
	'timestamp "hello"': () => isGenuine({ 'webhook-timestamp': 'hello' }),
	'signature "v1,dawfeoifkpqwoekfpqoekf"': () =>
		isGenuine({ 'webhook-signature': 'v1,dawfeoifkpqwoekfpqoekf' }),
	'signature cut to 8 characters': () => isGenuine({ 'webhook-signature': signature.slice(0, 8) }),
	'signature "v1,"': () => isGenuine({ 'webhook-signature': 'v1,' }),
	'timestamp older than 300 s': () => isGenuine({}, timestamp + 301),
	'timestamp newer than 300 s': () => isGenuine({}, timestamp - 301),
};
const MUST_NOT_CONFIGURE: Record<string, string> = { 'empty secret': '', 'secret "whsec_" alone': 'whsec_' };

test.each(vectors.mustFail)('%s: must fail', async (name) => {
	if (name in MUST_NOT_CONFIGURE) {
		expect(() => standardWebhooks(MUST_NOT_CONFIGURE[name] as string)).toThrow('The webhook secret');
		return;
	}
	expect(MUST_FAIL).toHaveProperty([name]);
	expect(await MUST_FAIL[name]?.()).toBeUndefined();
});

const MUST_PASS: Record<string, () => Promise<void>> = {
	async 'several signatures, one valid (v1 bad, v2 any, v1 good, v1 bad)'() {
		const bad = signatureOf({ id, timestamp: String(timestamp), body: payload, secret: OTHER_SECRET });
		const several = [bad, signature.replace('v1', 'v2'), signature, bad].join(' ');
		expect(await isGenuine({ 'webhook-signature': several })).toMatchObject({ id });
	},
	async 'secret with and without whsec_'() {
		expect(await isGenuine({}, timestamp, secret)).toMatchObject({ id });
		expect(await isGenuine({}, timestamp, secret.replace('whsec_', ''))).toMatchObject({ id });
	},
	async 'empty body -> undefined'() {
		const handler = testHandler();
		expect(await handler.statusOf(messageOf({ body: '' }))).toBe(202);
		expect(handler.changes).toMatchObject([{ all: true, type: undefined }]);
	},
};

test.each(vectors.mustPass)('%s: must pass', async (name) => {
	expect(MUST_PASS).toHaveProperty([name]);
	await MUST_PASS[name]?.();
});

test.each(vectors.githubStyle)('a verify function can decide about GitHub signatures', async (github) => {
	const verify: VerifyFunction = async ({ headers, body }) => {
		const usage = { name: 'HMAC', hash: 'SHA-256' };
		const bytes = new TextEncoder().encode(github.secret);
		const key = await crypto.subtle.importKey('raw', bytes, usage, false, ['verify']);
		const given = Uint8Array.from(
			Buffer.from(headers.get('x-hub-signature-256')?.replace('sha256=', '') ?? '', 'hex'),
		);
		return crypto.subtle.verify('HMAC', key, given, body);
	};
	const ask = (body: string, header: string) =>
		testHandler({ verify }).handle(
			new Request('https://shop.example', {
				method: 'POST',
				body,
				headers: { 'x-hub-signature-256': header, 'content-type': 'application/json' },
			}),
		);
	// Genuine, and then found not to be JSON.
	expect((await ask(github.payload, github.header)).status).toBe(400);
	expect((await ask(`${github.payload} `, github.header)).status).toBe(401);
	const body = eventOf('p-1');
	const header = `sha256=${createHmac('sha256', github.secret).update(body).digest('hex')}`;
	expect((await ask(body, header)).status).toBe(202);
});

test.each(vectors.rfc4231)('HMAC of this runtime agrees with RFC 4231 ($keyHex)', async (one) => {
	const bytes = Uint8Array.from(Buffer.from(one.keyHex, 'hex'));
	const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
	const signed = await crypto.subtle.sign('HMAC', key, Uint8Array.from(Buffer.from(one.dataHex, 'hex')));
	expect(Buffer.from(signed).toString('hex')).toBe(one.hmacSha256Hex);
});

test('what the other tests sign with agrees with the vector', () => {
	expect(signatureOf({ id, timestamp: String(timestamp), body: payload, secret })).toBe(signature);
	expect(SECRET).not.toBe(OTHER_SECRET);
});
