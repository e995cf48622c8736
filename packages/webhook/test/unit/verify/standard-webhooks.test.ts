import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { NOW } from 'product-reviews-test-support/clock';
import { eventOf, messageOf, OTHER_SECRET, SECRET, signatureOf } from 'product-reviews-test-support/signing';
import { beforeEach, describe, expect, test } from 'vitest';
import { standardWebhooks, WebhookConfigurationError } from '../../../src/index.js';
import { type TestHandler, testHandler } from '../../support/handler.js';

let handler: TestHandler;
beforeEach(() => {
	handler = testHandler();
});

async function expectRefused(...args: Parameters<TestHandler['statusOf']>): Promise<void> {
	expect(await handler.statusOf(...args)).toBe(401);
	expect(handler.changes).toEqual([]);
}

test('a request as it should be is accepted', async () => {
	expect(await handler.statusOf(messageOf())).toBe(202);
	expect(handler.changes).toHaveLength(1);
});

describe('an id', () => {
	test.each([
		['with a full stop', 'msg.1'],
		['that is empty', ''],
		['of 129 characters', 'a'.repeat(129)],
		['that is not ASCII', 'msg_\u00e9'],
		['with a space', 'msg 1'],
		['of two headers', 'msg_1, msg_1'],
		['with a slash', 'msg/1'],
	])('%s is refused, even signed', async (_name, id) => {
		await expectRefused(messageOf({ id }));
	});

	test.each(['a', 'a'.repeat(128), 'msg_AZ-09'])('%s is taken', async (id) => {
		expect(await handler.statusOf(messageOf({ id }))).toBe(202);
	});
});

describe('a timestamp', () => {
	const seconds = NOW / 1_000;

	test.each([
		['hello'],
		['123abc'],
		[`${seconds}abc`],
		[`-${seconds}`],
		[`+${seconds}`],
		['1.7e9'],
		[`${seconds}.0`],
		[`0x${seconds.toString(16)}`],
		[`${seconds} ${seconds}`],
		[`${seconds}, ${seconds}`],
		[`0${String(seconds).padStart(12, '0')}`],
		[String(NOW)],
		[''],
	])('"%s" is refused, even signed', async (timestamp) => {
		await expectRefused(messageOf({ timestamp }));
	});

	test.each([-301, 301, -86_400, 86_400])('%i s from now is refused', async (offset) => {
		await expectRefused(messageOf({ timestamp: String(seconds + offset) }));
	});

	test.each([-300, 300, 0])('%i s from now is taken', async (offset) => {
		expect(await handler.statusOf(messageOf({ timestamp: String(seconds + offset) }))).toBe(202);
	});

	test('is too old one millisecond after its time', async () => {
		handler.advance(1);
		await expectRefused(messageOf({ timestamp: String(seconds - 300) }));
	});

	test('may be as far from now as the option says', async () => {
		const wide = testHandler({ verify: standardWebhooks(SECRET, { tolerance: 600 }) });
		expect(await wide.statusOf(messageOf({ timestamp: String(seconds - 600) }))).toBe(202);
		expect(await wide.statusOf(messageOf({ timestamp: String(seconds - 601) }))).toBe(401);
	});

	test.each([Number.NaN, -1, '300', null])('a tolerance of %s cannot be configured', (tolerance) => {
		const configure = () => standardWebhooks(SECRET, { tolerance: tolerance as number });
		expect(configure).toThrow(WebhookConfigurationError);
	});
});

describe('a signature', () => {
	const spoilt: Record<string, (signature: string) => string> = {
		'that is empty': () => '',
		'without the last character': (signature) => signature.slice(0, -1),
		'without the first character': (signature) => `v1,${signature.slice(4)}`,
		'without its padding': (signature) => signature.replace(/=+$/, ''),
		'with more padding': (signature) => `${signature}=`,
		'with unused bits set': (signature) => {
			const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
			const last = letters.indexOf(signature.at(-2) ?? '');
			return `${signature.slice(0, -2)}${letters[last ^ 1]}=`;
		},
		'in lower case': (signature) => signature.toLowerCase(),
		'of version 1a': (signature) => signature.replace('v1', 'v1a'),
		'of version 2': (signature) => signature.replace('v1', 'v2'),
		'of version V1': (signature) => signature.replace('v1', 'V1'),
		'without a version': (signature) => signature.slice(3),
		'in hexadecimal': (signature) => `v1,${Buffer.from(signature.slice(3), 'base64').toString('hex')}`,
		'with one bit changed': (signature) => {
			const bytes = Buffer.from(signature.slice(3), 'base64');
			bytes[31] = (bytes[31] ?? 0) ^ 1;
			return `v1,${bytes.toString('base64')}`;
		},
		'of 31 bytes': (signature) =>
			`v1,${Buffer.from(signature.slice(3), 'base64').subarray(0, 31).toString('base64')}`,
		'with a comma after it': (signature) => `${signature},${signature}`,
		'among ten others': (signature) => [...Array(10).fill(wrong()), signature].join(' '),
	};
	const wrong = () => signatureOf({ id: 'x', timestamp: '1', body: '', secret: OTHER_SECRET });

	test.each(Object.entries(spoilt))('%s is refused', async (_name, spoil) => {
		const message = messageOf();
		const signature = spoil(message.headers['webhook-signature'] ?? '');
		await expectRefused(message, { headers: { 'webhook-signature': signature } });
	});

	test('in the alphabet of URLs is refused', async () => {
		const message = messagesWhere(({ headers }) => /[+/]/.test(headers['webhook-signature'] ?? ''));
		const signature = message.headers['webhook-signature'] ?? '';
		const encoded = signature.replaceAll('+', '-').replaceAll('/', '_');
		await expectRefused(message, { headers: { 'webhook-signature': encoded } });
		expect(await handler.statusOf(message)).toBe(202);
	});

	test('of an ed25519 key is not taken for one of ours', async () => {
		const message = messageOf();
		const { privateKey } = generateKeyPairSync('ed25519');
		const content = Buffer.concat([Buffer.from(`${message.id}.${message.timestamp}.`), message.body]);
		const key = createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' }));
		const signature = `v1a,${sign(null, content, key).toString('base64')}`;
		await expectRefused(message, { headers: { 'webhook-signature': signature } });
	});

	test('among nine others is enough', async () => {
		const message = messageOf();
		const several = [...Array(9).fill(wrong()), message.headers['webhook-signature']].join(' ');
		expect(await handler.statusOf(message, { headers: { 'webhook-signature': several } })).toBe(202);
	});

	test('of another secret is refused', async () => {
		await expectRefused(messageOf({ secret: OTHER_SECRET }));
	});

	test('of another event is refused', async () => {
		const other = messageOf().headers['webhook-signature'] ?? '';
		await expectRefused(messageOf(), { headers: { 'webhook-signature': other } });
	});
});

describe('a body', () => {
	const bytes = (text: string) => new TextEncoder().encode(text);

	test.each([0, 20, 63])('with bit %i changed is refused', async (bit) => {
		const message = messageOf();
		const body = message.body.slice();
		body[bit >> 3] = (body[bit >> 3] ?? 0) ^ (1 << (bit & 7));
		await expectRefused(message, { body });
	});

	test('with other bytes that decode to the same text is refused', async () => {
		const start = bytes('{"data":{"pid":"');
		const end = bytes('"}}');
		const one = Uint8Array.of(...start, 0xff, ...end);
		const other = Uint8Array.of(...start, 0xfe, ...end);
		expect(new TextDecoder().decode(one)).toBe(new TextDecoder().decode(other));
		await expectRefused(messageOf({ body: one }), { body: other });
	});

	test.each([
		['a byte order mark before it', (body: Uint8Array) => Uint8Array.of(0xef, 0xbb, 0xbf, ...body)],
		['a line break after it', (body: Uint8Array) => Uint8Array.of(...body, 0x0a)],
		['a space before it', (body: Uint8Array) => Uint8Array.of(0x20, ...body)],
		['its end cut off', (body: Uint8Array) => body.subarray(0, -1)],
		['nothing left of it', () => new Uint8Array()],
		['its keys in another order', () => bytes('{"data":{"pid":"p-1"},"type":"x"}')],
	])('with %s is refused', async (_name, spoil) => {
		const message = messageOf();
		await expectRefused(message, { body: spoil(message.body) });
	});
});

describe('a full stop that moves under the same signature', () => {
	test('from the body to the id is refused', async () => {
		const { headers } = messageOf({ id: 'a', timestamp: String(NOW / 1_000), body: '5.{}' });
		await expectRefused(messageOf(), {
			headers: { ...headers, 'webhook-id': `a.${NOW / 1_000}`, 'webhook-timestamp': '5' },
			body: new TextEncoder().encode('{}'),
		});
	});

	test('from the time to the body is refused', async () => {
		const [start, end] = [String(NOW / 1_000).slice(0, 4), String(NOW / 1_000).slice(4)];
		const { headers } = messageOf({ id: 'a', timestamp: `${start}.${end}`, body: '{}' });
		await expectRefused(messageOf(), {
			headers: { ...headers, 'webhook-timestamp': start },
			body: new TextEncoder().encode(`${end}.{}`),
		});
	});
});

describe('while secrets change', () => {
	test.each([
		[SECRET, true],
		[OTHER_SECRET, true],
		[`whsec_${Buffer.alloc(32, 7).toString('base64')}`, false],
	])('either secret is good, and no third', async (secret, isGood) => {
		const rotating = testHandler({ verify: standardWebhooks([OTHER_SECRET, SECRET]) });
		expect(await rotating.statusOf(messageOf({ secret }))).toBe(isGood ? 202 : 401);
	});

	test('a sender may sign with the old and the new one', async () => {
		const message = messageOf({ secret: OTHER_SECRET });
		const both = `${message.headers['webhook-signature']} ${signatureOf({ ...message, secret: SECRET })}`;
		expect(await handler.statusOf(message, { headers: { 'webhook-signature': both } })).toBe(202);
	});
});

function messagesWhere(isWanted: (message: ReturnType<typeof messageOf>) => boolean) {
	for (;;) {
		const message = messageOf({ body: eventOf('p-1') });
		if (isWanted(message)) return message;
	}
}
