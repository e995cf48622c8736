import { NOW } from 'product-reviews-test-support/clock';
import {
	type Message,
	type MessageOptions,
	messageOf,
	OTHER_SECRET,
	SECRET,
	signatureOf,
} from 'product-reviews-test-support/signing';
import { describe, expect, test } from 'vitest';
import { standardWebhooks, WebhookConfigurationError } from '../../../src/index.js';

const SECONDS = NOW / 1_000;
const THIRD_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

interface Changes {
	readonly headers?: Readonly<Record<string, string | undefined>>;
	readonly body?: Uint8Array;
	readonly verifier?: ReturnType<typeof standardWebhooks>;
	readonly receivedAt?: number;
}

/** What is found out about a message: `undefined` if it is not genuine. */
function verify(message: Message, changes: Changes = {}) {
	const { verifier = standardWebhooks(SECRET), receivedAt = NOW } = changes;
	const headers = new Headers();
	for (const [name, value] of Object.entries({ ...message.headers, ...changes.headers }))
		if (value !== undefined) headers.set(name, value);
	return verifier.verify({ headers, body: new Uint8Array(changes.body ?? message.body), receivedAt });
}

const verifyOf = (options: MessageOptions, changes?: Changes) => verify(messageOf(options), changes);
const verifySigned = (message: Message, signature: string, changes?: Changes) =>
	verify(message, { ...changes, headers: { 'webhook-signature': signature } });
const signatureIn = ({ headers }: Message) => headers['webhook-signature'] ?? '';
const GENUINE = expect.objectContaining({ id: expect.any(String) });

test('a request as it should be is genuine, and its id is known', async () => {
	expect(await verifyOf({ id: 'msg_1' })).toEqual({ id: 'msg_1', validFor: 300_000 });
});

test.each(['msg.1', '', 'a'.repeat(129), 'msg_\u00e9', 'msg 1', 'msg_1, msg_1', 'msg/1', '.a', 'a.'])(
	'the id "%s" is refused, even signed',
	async (id) => {
		expect(await verifyOf({ id })).toBeUndefined();
	},
);

test.each(['a', 'a'.repeat(128), 'msg_AZ-09'])('the id "%s" is taken', async (id) => {
	expect(await verifyOf({ id })).toMatchObject({ id });
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

	test.each(['5', String(SECONDS).padStart(12, '0')])(
		'may have one to twelve digits: %s',
		async (timestamp) => {
			expect(await verifyOf({ timestamp }, { receivedAt: Number(timestamp) * 1_000 })).toEqual(GENUINE);
		},
	);

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

	test.each([
		[600, 600_000, GENUINE],
		[600, 600_001, undefined],
		[0, 0, GENUINE],
		[0, 1, undefined],
	])('may be %s s from now where the option says so', async (tolerance, late, expected) => {
		const verifier = standardWebhooks(SECRET, { tolerance });
		for (const receivedAt of [NOW - late, NOW + late])
			expect(await verifyOf({}, { verifier, receivedAt })).toEqual(expected);
	});

	test.each([Number.NaN, -1, '300', null, Infinity])(
		'a tolerance of %s cannot be configured',
		(tolerance) => {
			const configure = () => standardWebhooks(SECRET, { tolerance: tolerance as number });
			expect(configure).toThrow(WebhookConfigurationError);
			expect(configure).toThrow('"tolerance"');
		},
	);
});

describe('a signature', () => {
	const wrong = signatureOf({ id: 'x', timestamp: '1', body: '', secret: OTHER_SECRET });
	const bytesOf = (signature: string) => Buffer.from(signature.slice(3), 'base64');
	const encoded = (...bytes: Uint8Array[]) => `v1,${Buffer.concat(bytes).toString('base64')}`;
	const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

	test.each<[string, (signature: string) => string]>([
		['that is empty', () => ''],
		['without the last character', (signature) => signature.slice(0, -1)],
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

describe('while secrets change', () => {
	test.each([
		[SECRET, GENUINE],
		[OTHER_SECRET, GENUINE],
		[THIRD_SECRET, undefined],
	])('either secret is good, and no third', async (secret, expected) => {
		const verifier = standardWebhooks([OTHER_SECRET, SECRET]);
		expect(await verifyOf({ secret }, { verifier })).toEqual(expected);
	});
});
