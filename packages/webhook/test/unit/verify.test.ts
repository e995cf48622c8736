import { createHmac } from 'node:crypto';
import { errorOf, NOW } from 'product-reviews-test-support/clock';
import {
	type Message,
	type MessageOptions,
	messageOf,
	OTHER_SECRET,
	SECRET,
	signatureOf,
} from 'product-reviews-test-support/signing';
import { describe, expect, test, vi } from 'vitest';
import {
	type HmacForm,
	hmac,
	type ReceptionVariables,
	readReception,
	readRequired,
	sharedHeader,
	sharedQuery,
	standardWebhooks,
	type Verifier,
	WebhookConfigurationError,
} from '../../src/index.js';
import { testHandler } from '../support/handler.js';

const KEY = 'canary-key-of-the-tests';
const SECONDS = NOW / 1_000;

interface Changes {
	readonly headers?: Readonly<Record<string, string | undefined>>;
	readonly body?: Uint8Array;
	readonly verifier?: Verifier;
	readonly receivedAt?: number;
}

/** What is found out about a message: `undefined` if it is not genuine. */
function verify(message: Message, changes: Changes = {}) {
	const { verifier = standardWebhooks(SECRET), receivedAt = NOW } = changes;
	const headers = new Headers();
	for (const [name, value] of Object.entries({ ...message.headers, ...changes.headers }))
		if (value !== undefined) headers.set(name, value);
	return verifier({
		url: 'https://shop.example/',
		headers,
		body: new Uint8Array(changes.body ?? message.body),
		receivedAt,
	});
}

const verifyOf = (options: MessageOptions, changes?: Changes) => verify(messageOf(options), changes);
const verifySigned = (message: Message, signature: string, changes?: Changes) =>
	verify(message, { ...changes, headers: { 'webhook-signature': signature } });
const signatureIn = ({ headers }: Message) => headers['webhook-signature'] ?? '';
const GENUINE = expect.objectContaining({ id: expect.any(String) });

test('the vector of the standard is genuine, with or without the prefix of the secret, and among others', async () => {
	const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
	const timestamp = '1614265330';
	const id = 'msg_p5jXN8AQM9LWM0D4loKWxJek';
	const body = '{"test": 2432232314}';
	const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
	// What the other tests sign with is not of our own making.
	expect(signatureOf({ id, timestamp, body, secret })).toBe(signature);
	const message = messageOf({ id, timestamp, body, secret });
	const bad = signatureOf({ id, timestamp, body, secret: OTHER_SECRET });
	const several = [bad, signature.replace('v1', 'v2'), signature, bad].join(' ');
	for (const key of [secret, secret.replace('whsec_', '')]) {
		const changes = { verifier: standardWebhooks(key), receivedAt: Number(timestamp) * 1_000 };
		expect(await verify(message, changes)).toEqual({ id, validFor: 300_000 });
		expect(await verifySigned(message, several, changes)).toMatchObject({ id });
		expect(await verify(message, { ...changes, receivedAt: NOW })).toBeUndefined();
	}
});

const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
test.each(HEADERS)('without %s nothing is genuine', async (name) => {
	expect(await verifyOf({}, { headers: { [name]: undefined } })).toBeUndefined();
});

const WRONG_IDS = ['msg.1', '', 'a'.repeat(129), 'msg_\u00e9', 'msg 1', 'msg_1, msg_1', 'msg/1', '.a', 'a.'];
test.each(WRONG_IDS)('the id "%s" is refused, even signed', async (id) => {
	expect(await verifyOf({ id })).toBeUndefined();
});

test.each(['a', 'a'.repeat(128), 'msg_AZ-09'])('the id "%s" is taken', async (id) => {
	expect(await verifyOf({ id })).toEqual({ id, validFor: 300_000 });
});

describe('a timestamp', () => {
	const odd = `hello 123abc ${SECONDS}abc -${SECONDS} +${SECONDS} ${SECONDS}.0 0x${SECONDS.toString(16)} ${SECONDS / 1e9}e9`;
	const long = `0${String(SECONDS).padStart(12, '0')}`;

	test.each([...odd.split(' '), `${SECONDS} ${SECONDS}`, `${SECONDS}, ${SECONDS}`, long, String(NOW), ''])(
		'"%s" is refused, even signed, and at its own time',
		async (timestamp) => {
			for (const receivedAt of [NOW, Number(timestamp) * 1_000 || 0])
				expect(await verifyOf({ timestamp }, { receivedAt })).toBeUndefined();
		},
	);

	test.each(['5', String(SECONDS).padStart(12, '0')])('may have 1 to 12 digits: %s', async (timestamp) => {
		expect(await verifyOf({ timestamp }, { receivedAt: Number(timestamp) * 1_000 })).toEqual(GENUINE);
	});

	test.each([
		[-300_001, undefined],
		[-300_000, 600_000],
		[-100_000, 400_000],
		[1, 299_999],
		[300_000, 0],
		[300_001, undefined],
		[86_400_000, undefined],
	])('that was signed %i ms before it came is good for %s ms more', async (late, validFor) => {
		expect((await verifyOf({}, { receivedAt: NOW + late }))?.validFor).toBe(validFor);
	});
});

describe('a signature', () => {
	const wrong = signatureOf({ id: 'x', timestamp: '1', body: '', secret: OTHER_SECRET });
	const bytesOf = (signature: string) => Buffer.from(signature.slice(3), 'base64');
	const encoded = (...bytes: Uint8Array[]) => `v1,${Buffer.concat(bytes).toString('base64')}`;
	const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

	test.each<[string, (signature: string) => string]>([
		['that is empty', () => ''],
		['without the first character', (signature) => `v1,${signature.slice(4)}`],
		['without its padding', (signature) => signature.replace(/=+$/, '')],
		['with more padding', (signature) => `${signature}=`],
		[
			'with unused bits set',
			(signature) => signature.replace(/.=$/, (end) => `${LETTERS[LETTERS.indexOf(end.charAt(0)) ^ 1]}=`),
		],
		['in lower case', (signature) => signature.toLowerCase()],
		['of version 1a', (signature) => signature.replace('v1', 'v1a')],
		['of version 2', (signature) => signature.replace('v1', 'v2')],
		['of version V1', (signature) => signature.replace('v1', 'V1')],
		['without a version', (signature) => signature.slice(3)],
		['with something before it', (signature) => `x${signature}`],
		['in hexadecimal', (signature) => `v1,${bytesOf(signature).toString('hex')}`],
		[
			'with its last bit changed',
			(signature) => encoded(bytesOf(signature).map((byte, at) => byte ^ +(at === 31))),
		],
		['of 31 bytes', (signature) => encoded(bytesOf(signature).subarray(0, 31))],
		['of 33 bytes', (signature) => encoded(bytesOf(signature), Buffer.of(0))],
		['with a comma after it', (signature) => `${signature},${signature}`],
		['among ten others', (signature) => [...Array(10).fill(wrong), signature].join(' ')],
		['before ten others', (signature) => [signature, ...Array(10).fill(wrong)].join(' ')],
	])('%s is refused', async (_name, spoil) => {
		const message = messageOf();
		expect(await verifySigned(message, spoil(signatureIn(message)))).toBeUndefined();
	});

	test('in the alphabet of URLs is refused', async () => {
		let message = messageOf();
		while (!/[+/]/.test(signatureIn(message))) message = messageOf();
		const signature = signatureIn(message).replaceAll('+', '-').replaceAll('/', '_');
		expect(await verifySigned(message, signature)).toBeUndefined();
		expect(await verify(message)).toEqual(GENUINE);
	});

	test('that is good is enough, wherever it is among nine others', async () => {
		const message = messageOf();
		const good = signatureIn(message);
		for (let place = 0; place < 10; place += 1)
			expect(await verifySigned(message, Array(10).fill(wrong).with(place, good).join(' '))).toEqual(GENUINE);
		expect(await verifySigned(message, `v1,AAAA v2,x  v1a,${good.slice(3)} ${good}`)).toEqual(GENUINE);
	});

	test('of another event, or of another secret, is refused', async () => {
		expect(await verifySigned(messageOf(), signatureIn(messageOf()))).toBeUndefined();
		expect(await verifyOf({ secret: OTHER_SECRET })).toBeUndefined();
	});
});

describe('a body', () => {
	const bytes = (text: string) => new TextEncoder().encode(text);

	test.each<[string, (body: Uint8Array) => Uint8Array]>([
		['its first bit changed', (body) => body.with(0, (body[0] ?? 0) ^ 1)],
		['its last bit changed', (body) => body.with(-1, (body.at(-1) ?? 0) ^ 128)],
		['a byte order mark before it', (body) => Uint8Array.of(0xef, 0xbb, 0xbf, ...body)],
		['a line break after it', (body) => Uint8Array.of(...body, 0x0a)],
		['a space before it', (body) => Uint8Array.of(0x20, ...body)],
		['its end cut off', (body) => body.subarray(0, -1)],
		['nothing left of it', () => new Uint8Array()],
	])('with %s is refused', async (_name, spoil) => {
		const message = messageOf();
		expect(await verify(message, { body: spoil(message.body) })).toBeUndefined();
	});

	test('with other bytes that decode to the same text is refused', async () => {
		const [one, other] = [0xff, 0xfe].map((byte) => Uint8Array.of(...bytes('{"a":"'), byte, ...bytes('"}')));
		expect(await verifyOf({ body: one ?? '' })).toEqual(GENUINE);
		expect(await verifyOf({ body: one ?? '' }, { body: other ?? bytes('') })).toBeUndefined();
	});

	test('of which a part moves to the id, behind a full stop, is refused', async () => {
		const { headers } = messageOf({ id: 'a', body: '5.{}' });
		const moved = { ...headers, 'webhook-id': `a.${SECONDS}`, 'webhook-timestamp': '5' };
		expect(await verifyOf({}, { headers: moved, body: bytes('{}'), receivedAt: 5_000 })).toBeUndefined();
	});
});

const of = (bytes: number) => Buffer.alloc(bytes, 0xfb).toString('base64');

test.each([
	['24 bytes', `whsec_${of(24)}`],
	['64 bytes', `whsec_${of(64)}`],
	['no prefix', of(32)],
	['spaces around it', ` whsec_${of(32)}\n`],
])('a secret with %s is taken', async (_name, secret) => {
	const { statusOf } = testHandler({ verify: standardWebhooks(secret) });
	expect(await statusOf(messageOf({ secret: secret.trim() }))).toBe(202);
});

describe('a secret that cannot be used', () => {
	test.each([
		['has 23 bytes', `whsec_${of(23)}`],
		['has 65 bytes', `whsec_${of(65)}`],
		['is not base64', 'whsec_canary*secret'],
		['is not base64', `whsec_${of(32).replaceAll('/', '_').replaceAll('+', '-')}`],
		['is not base64', `whsec_${of(32).replace('=', '')}`],
		['is not base64', `whsec_=${of(32)}===`],
		// Unused bits that are set would be a second form of the same secret.
		['is not base64', `whsec_${of(32).replace('s=', 't=')}`],
		['is not base64', 'whpk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
		['is empty', ''],
		['is empty', '   '],
		['is empty', [null]],
		['is missing', undefined],
		['is missing', []],
		['is missing', { secret: SECRET }],
	])('%s', async (problem, secret) => {
		expect(await errorOf(() => standardWebhooks(secret as string))).toMatchObject({
			name: 'WebhookConfigurationError',
			code: 'PR_WEBHOOK_SECRET',
			message: `The webhook secret ${problem}. Expected "whsec_" followed by the base64 of 24 to 64 bytes, as shown by the review service.`,
		});
	});

	test.each([
		['is not base64', 'whsec_canary-text'],
		['is empty', ' '],
		['has 23 bytes', of(23)],
	])('is named by its place, and never shown: %s', async (problem, secret) => {
		const { message } = await errorOf(() => standardWebhooks([SECRET, secret]));
		expect(message).toContain(`${problem} (number 2 of 2).`);
		expect(message).not.toContain('canary');
		expect(message).not.toContain(SECRET.slice(6));
	});
});

describe('hmac()', () => {
	const HEX = { header: 'x-sign', encoding: 'hex' } as const;
	const BODY = '{"pid":"p-1"}';
	const sign = (text: string, encoding: 'hex' | 'base64' | 'base64url' = 'hex', hash = 'sha256') =>
		createHmac(hash, KEY).update(text).digest(encoding);
	/** What is found out about a body with these headers. */
	const check = (form: HmacForm, headers: Record<string, string>, secrets: string | string[] = KEY) =>
		verify(messageOf({ body: BODY }), { headers, verifier: hmac(form, secrets) });
	const within = (time: unknown, signature: string) => ({ 'x-sign': `t=${time},v1=${signature}` });
	const STAMPED = { ...HEX, prefix: 'v1=', signed: '{timestamp}.{body}', timestamp: 't=' } as const;
	const signedAt = sign(`${SECONDS}.${BODY}`);

	test.each<[string, HmacForm, Record<string, string>, unknown]>([
		['hexadecimal', HEX, { 'x-sign': sign(BODY) }, {}],
		['in upper case', HEX, { 'x-sign': sign(BODY).toUpperCase() }, {}],
		['of SHA-512', { ...HEX, hash: 'SHA-512' }, { 'x-sign': sign(BODY, 'hex', 'sha512') }, {}],
		['in base64 by default', { header: 'X-Sign' }, { 'x-sign': sign(BODY, 'base64') }, {}],
		['in base64url', { header: 'x-sign', encoding: 'base64url' }, { 'x-sign': sign(BODY, 'base64url') }, {}],
		['with a prefix', { ...HEX, prefix: 'sha256=' }, { 'x-sign': `sha256=${sign(BODY)}` }, {}],
		['among others', { ...HEX, prefix: 'v1,' }, { 'x-sign': `v1,00 v0,x v1,${sign(BODY)}` }, {}],
		['with an id', { ...HEX, id: 'x-id' }, { 'x-sign': sign(BODY), 'x-id': 'a.b/c' }, { id: 'a.b/c' }],
		['with a time', STAMPED, within(SECONDS, signedAt), { validFor: 300_000 }],
		[
			'with a time and spaces',
			STAMPED,
			{ 'x-sign': `v1=00, v1=${signedAt}, t=${SECONDS}` },
			{ validFor: 300_000 },
		],
		[
			'with milliseconds in a header of their own',
			{ ...HEX, signed: '{timestamp}:{body}', timestamp: 'x-time', unit: 'ms', tolerance: 1_000 },
			{ 'x-sign': sign(`${NOW - 1_000}:${BODY}`), 'x-time': String(NOW - 1_000) },
			{ validFor: 0 },
		],
		// Not genuine.
		['of 31 bytes', HEX, { 'x-sign': sign(BODY).slice(2) }, undefined],
		['of an odd number of digits', HEX, { 'x-sign': sign(BODY).slice(1) }, undefined],
		['with other letters', HEX, { 'x-sign': sign(BODY).replace(/.$/, 'g') }, undefined],
		['in another encoding', HEX, { 'x-sign': sign(BODY, 'base64') }, undefined],
		['of another hash', HEX, { 'x-sign': sign(BODY, 'hex', 'sha512') }, undefined],
		['without its prefix', { ...HEX, prefix: 'sha256=' }, { 'x-sign': sign(BODY) }, undefined],
		['twice', HEX, { 'x-sign': `${sign(BODY)}, ${sign(BODY)}` }, undefined],
		[
			'with two times',
			STAMPED,
			{ 'x-sign': `t=${SECONDS},v1=${signedAt}, t=${SECONDS},v1=${signedAt}` },
			undefined,
		],
		['without a time', STAMPED, { 'x-sign': `v1=${signedAt}` }, undefined],
		['with an old time', STAMPED, within(SECONDS - 301, sign(`${SECONDS - 301}.${BODY}`)), undefined],
		['with a time to come', STAMPED, within(SECONDS + 301, sign(`${SECONDS + 301}.${BODY}`)), undefined],
		['with milliseconds for seconds', STAMPED, within(NOW, sign(`${NOW}.${BODY}`)), undefined],
		['that does not sign the time', STAMPED, within(SECONDS, sign(BODY)), undefined],
	])('a signature %s', async (_what, form, headers, expected) => {
		expect(await check(form, headers)).toEqual(expected);
		expect(await check(form, headers, ['another-key-of-the-tests', ` ${KEY}\n`])).toEqual(expected);
		expect(await check(form, headers, 'another-key-of-the-tests')).toBeUndefined();
	});

	test.each<[object, string]>([
		[{ header: 'x sign' }, 'the name of a header as "header"'],
		[{}, 'the name of a header as "header"'],
		[{ ...HEX, encoding: 'base32' }, '"base64", "base64url" or "hex" as "encoding"'],
		[{ ...HEX, hash: 'SHA-1' }, '"SHA-256" or "SHA-512" as "hash"'],
		[{ ...HEX, signed: '{timestamp}', timestamp: 't' }, '"{body}" once in "signed"'],
		[{ ...HEX, timestamp: 'x-time' }, '"timestamp" with "{timestamp}" in "signed"'],
		[{ ...HEX, signed: '{timestamp}{body}' }, '"timestamp" with "{timestamp}" in "signed"'],
		[{ ...HEX, signed: '{id}.{body}' }, '"id" with "{id}" in "signed"'],
	])('refuses the form %j', async (form, expected) => {
		expect(() => hmac(form as HmacForm, KEY)).toThrow(`hmac() needs ${expected}.`);
	});

	test('refuses a secret that is missing or can be guessed, and a tolerance that is no number', () => {
		const message = 'A secret of hmac({ header: "x-sign" }) is missing or shorter than 16 characters.';
		for (const secret of [undefined, '', 'x'.repeat(15), [], [KEY, 'short']])
			expect(() => hmac(HEX, secret)).toThrow(message);
		expect(() => hmac({ ...HEX, tolerance: Number.NaN }, KEY)).toThrow('The option "tolerance"');
	});
});

test('the headers of Standard Webhooks may begin with svix', async () => {
	const { headers, ...message } = messageOf();
	const svix = Object.entries(headers).map(([name, value]) => [name.replace('webhook-', 'svix-'), value]);
	expect(await verify({ ...message, headers: Object.fromEntries(svix) })).toEqual(GENUINE);
	const mixed = { ...headers, 'svix-id': 'msg_other' };
	expect(await verify({ ...message, headers: mixed })).toBeUndefined();
});

describe('secrets in the environment', () => {
	const NAMES: ReceptionVariables = { secretEnv: 'S', keyEnv: 'K', keyHeader: 'x-key' };
	const read = (variables: Record<string, string>, names: Partial<ReceptionVariables> = {}) =>
		readReception({ ...NAMES, ...names }, (name) => variables[name]);

	test('are one or two, with spaces between them, and a key beside them; no third is good', async () => {
		const { statusOf } = testHandler(read({ S: ` ${SECRET}\n\t${OTHER_SECRET} `, K: ` ${KEY} ` }));
		for (const secret of [SECRET, OTHER_SECRET]) expect(await statusOf(messageOf({ secret }))).toBe(202);
		expect(await statusOf(messageOf({ secret: `whsec_${of(32)}` }))).toBe(401);
		const unsigned = { 'webhook-id': undefined, 'webhook-signature': undefined };
		expect(await statusOf(messageOf(), { headers: { ...unsigned, 'x-key': KEY } })).toBe(202);
		expect(read({ S: SECRET }, { keyHeader: undefined }).verify).toHaveLength(1);
		expect(read({ K: KEY }).verify).toHaveLength(1);
	});

	test('are the API key for a header without a key of its own, but never in a URL', async () => {
		const API_KEY = 'the-api-key-of-the-tests';
		const variables = { REVIEWS_API_KEY: API_KEY };
		const { statusOf } = testHandler(read(variables));
		for (const [key, status] of [
			[API_KEY, 202],
			[KEY, 401],
		] as const)
			expect(await statusOf(messageOf(), { headers: { 'x-key': key } })).toBe(status);
		const own = testHandler(read({ ...variables, K: KEY }));
		for (const [key, status] of [
			[API_KEY, 401],
			[KEY, 202],
		] as const)
			expect(await own.statusOf(messageOf(), { headers: { 'x-key': key } })).toBe(status);
		const inUrl = { keyHeader: undefined, keyQuery: 'secret' };
		expect(() => read(variables, inUrl)).toThrow(/^The environment variable K is not set\.$/);
		expect(read({ K: KEY }, inUrl).verify).toHaveLength(1);
	});

	test('that are missing are named by their variable, with what to do', async () => {
		const none = { keyHeader: undefined };
		const remedy =
			'Set it to the webhook secret that the review service shows (it begins with "whsec_"). If it shows none and sends a fixed key, say in which header, with --key-header or the option webhook.keyHeader.';
		for (const S of ['', ' \n'])
			expect(await errorOf(() => read({ S }, none))).toMatchObject({
				code: 'PR_WEBHOOK_SECRET',
				message: `The environment variable S is not set. ${remedy}`,
			});
		expect(() => read({ S: SECRET, K: ' ' })).toThrow(/^The environment variable K is not set\.$/);
	});

	test.each(['A_9', '_', 'A'.repeat(100)])('in %s, which is a name', (name) => {
		expect(() => readRequired(name, () => undefined)).toThrow(`variable ${name} is not set.`);
		expect(readRequired(name, () => ' x ')).toBe('x');
	});

	test.each([SECRET, 'canary', '9A', 'A'.repeat(101), '', 'A-CANARY', ' A'])(
		'in place of the name of their variable are not shown: %s',
		(name) => {
			const message = /^The environment variable that an option names is not set\.$/;
			expect(() => readRequired(name, () => undefined)).toThrow(message);
		},
	);
});

const KEYS = ['another-key-of-the-tests', KEY];

test.each<[string, string | undefined, number, (string | string[])?]>([
	['that is right', KEY, 202],
	['with spaces around it in the settings', KEY, 202, ` ${KEY}\n`],
	['of sixteen characters', 'x'.repeat(16), 202, 'x'.repeat(16)],
	['that is the one of two', KEYS[0], 202, KEYS],
	['that is the other of two', KEYS[1], 202, KEYS],
	['that is neither of two', 'a-third-key-of-the-tests', 401, KEYS],
	['that is missing', undefined, 401],
	['that is empty', '', 401],
	['without the last character', KEY.slice(0, -1), 401],
	['with one more character', `${KEY}x`, 401],
	['with another last character', KEY.replace(/.$/, 'x'), 401],
	['in upper case', KEY.toUpperCase(), 401],
	['twice', `${KEY}, ${KEY}`, 401],
	['with a space in it', KEY.replace('-', ' '), 401],
])('a key %s (%s) is answered %i', async (_name, key, status, keys = KEY) => {
	const { statusOf } = testHandler({ verify: sharedHeader('X-Reviews-Key', keys) });
	for (const name of ['x-reviews-key', 'X-REVIEWS-KEY'])
		expect(await statusOf(messageOf(), { headers: { [name]: key } })).toBe(status);
	const inUrl = testHandler({ verify: sharedQuery('secret', keys) });
	const query = key === undefined ? '?other=1' : `?a=1&${new URLSearchParams({ secret: key })}`;
	expect(await inUrl.statusOf(messageOf(), { query })).toBe(status);
	// Only the named parameter counts.
	expect(await inUrl.statusOf(messageOf(), { query: query.replace('secret', 'Secret') })).toBe(401);
});

test.each(['x reviews', '', 'x:y', ' x', 'x ', 'größe', undefined, 5])('%j names no header', (name) => {
	const configure = () => sharedHeader(name as string, KEY);
	expect(configure).toThrow(WebhookConfigurationError);
	expect(configure).toThrow('must be the name of a header');
	expect(() => sharedQuery(name ? (5 as never) : '', KEY)).toThrow('must be the name of a parameter');
});

test('a key that is missing or can be guessed cannot be configured', () => {
	const short = ['too-short', 'x'.repeat(15), ' '.repeat(20), ` ${'x'.repeat(15)} `, ''];
	const message = 'A secret of sharedHeader("x-key", ...) is missing or shorter than 16 characters.';
	const error = expect.objectContaining({ code: 'PR_WEBHOOK_SECRET', message });
	for (const key of [...short, undefined, [], [KEY, ''], [KEY, 5], { length: 1, 0: KEY }]) {
		expect(() => sharedHeader('x-key', key as string), String(key)).toThrow(error);
		expect(() => sharedQuery('k', key as string)).toThrow('A secret of sharedQuery("k", ...) is missing');
	}
});

test('WebCrypto gets a secret once, on the first request, and nobody can take it out again', async () => {
	const importKey = vi.spyOn(crypto.subtle, 'importKey');
	const generateKey = vi.spyOn(crypto.subtle, 'generateKey');
	const { statusOf } = testHandler({ verify: [sharedHeader('x-key', KEY), standardWebhooks(SECRET)] });
	expect([...importKey.mock.calls, ...generateKey.mock.calls]).toEqual([]);
	for (let time = 0; time < 3; time += 1) await statusOf(messageOf());
	const algorithm = { name: 'HMAC', hash: 'SHA-256' };
	expect(importKey.mock.calls).toEqual([['raw', expect.any(Uint8Array), algorithm, false, ['verify']]]);
	expect(generateKey.mock.calls).toEqual([[algorithm, false, ['sign', 'verify']]]);
	vi.restoreAllMocks();
});
