import { createHmac } from 'node:crypto';
import { NOW } from 'product-reviews-test-support/clock';
import { type Message, OTHER_SECRET, requestOf, SECRET } from 'product-reviews-test-support/signing';
import { describe, expect, test } from 'vitest';
import {
	createMemoryLog,
	readReception,
	SERVICE_NAMES,
	type ServiceName,
	serviceWebhooks,
} from '../../src/index.js';
import { advance, collecting, QUIET } from '../support/collecting.js';
import { testHandler } from '../support/handler.js';

interface Vector {
	readonly secret: string;
	readonly body: string;
	readonly headers: Readonly<Record<string, string>>;
	/** Name of the header with the signature. */
	readonly signature: string;
	readonly pids: readonly string[];
	/** Arrival, in milliseconds since 1970. */
	readonly receivedAt?: number;
}

const AT = 1_767_225_600_000;

/** Invented secrets and bodies, signed with other programs. */
const VECTORS: Readonly<Record<Exclude<ServiceName, 'stamped'>, Vector>> = {
	woocommerce: {
		secret: 'woo-secret-0123456789',
		body: '{"id":128,"parent_id":0,"average_rating":"5.00","rating_count":1}',
		headers: { 'x-wc-webhook-signature': 'xepruXGvV6TAHxvIuuDBllOWYK4wLBYh7OmILD9MUIg=' },
		signature: 'x-wc-webhook-signature',
		pids: ['128'],
	},
	shopify: {
		secret: 'shpss_0123456789abcdef',
		body: '{"id":8012345678901,"admin_graphql_api_id":"gid://shopify/Product/8012345678901"}',
		headers: { 'x-shopify-hmac-sha256': '/OtwQMzno6BGqWHGVN/YeCSGzMguT3WyE/IuoACpnKY=' },
		signature: 'x-shopify-hmac-sha256',
		pids: ['8012345678901'],
	},
	judgeme: {
		secret: 'judgeme-token-0123456789',
		body: '{"event":"review/created","review":{"id":900001,"product_external_id":8012345678901}}',
		headers: { 'judgeme-hmac-sha256': '0cf1a2c6e62f791baeda5a5d5dfc9dab25d71094170ccf5607311d048f4d32cf' },
		signature: 'judgeme-hmac-sha256',
		pids: ['8012345678901'],
	},
	sanity: {
		secret: 'sanity-secret-0123456789',
		body: '{"pid":"KET-12"}',
		headers: {
			'sanity-webhook-signature': 't=1767225600000,v1=tgnVZI8yzJ1B8SItrWlvXnKZpotSOU9JFfQ23u-aGeI',
		},
		signature: 'sanity-webhook-signature',
		pids: ['KET-12'],
		receivedAt: AT,
	},
	okendo: {
		secret: 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3',
		body: '{"resource":{"productId":"shopify-8012345678901"},"resourceType":"review","topic":"update"}',
		headers: {
			'svix-id': 'msg_test1',
			'svix-timestamp': '1767225600',
			'svix-signature': 'v1,DqQE0L64apw5UK5He4dlSIZFd9zW29v0VoVGeyh+iXA=',
		},
		signature: 'svix-signature',
		pids: ['8012345678901'],
		receivedAt: AT,
	},
};

const TABLE = Object.entries(VECTORS) as [ServiceName, Vector][];

const messageOf = (body: string, headers: Readonly<Record<string, string>>): Message => ({
	...{ id: '', timestamp: '', body: new Uint8Array(Buffer.from(body)) },
	headers: { 'content-type': 'application/json', ...headers },
});

/** A handler of a service, at the time at which a vector arrives. */
const handlerAt = (name: ServiceName, secret: string, receivedAt = NOW) =>
	testHandler({ ...serviceWebhooks(name, secret), now: () => receivedAt });

describe.each(TABLE)('an event of %s', (name, { secret, body, headers, signature, pids, receivedAt }) => {
	const genuine = headers[signature] ?? '';
	const tamper = (value: string) =>
		value.replace(/(.)(.{10}=?)$/, (_, one, end) => (one === 'A' ? 'B' : 'A') + end);
	const handler = () => handlerAt(name, secret, receivedAt);
	const send = (changes: Parameters<typeof requestOf>[1] = {}) =>
		handler().statusOf(messageOf(body, headers), changes);

	test('that is signed as the vector is names its product', async () => {
		const { statusOf, changes, errors } = handler();
		expect(await statusOf(messageOf(body, headers))).toBe(202);
		expect([changes.map((change) => change.pids), errors]).toEqual([[pids], []]);
	});

	test.each<[string, string | undefined]>([
		['forged', tamper(genuine)],
		['cut short', genuine.slice(0, -2)],
		['empty', ''],
		['missing', undefined],
		[
			'of another encoding',
			genuine.replace(/[\w+/-]{43}=?$|[\da-f]{64}$/, (text) => Buffer.from(text).toString('hex')),
		],
		['twice, of which one is forged', `${tamper(genuine)}, ${tamper(genuine)}`],
	])('whose signature is %s is refused', async (_what, value) => {
		expect(await send({ headers: { [signature]: value } })).toBe(401);
	});

	test('whose body, secret or time is another is refused', async () => {
		expect(await send({ body: new TextEncoder().encode(`${body} `) })).toBe(401);
		const other = name === 'okendo' ? OTHER_SECRET : 'another-secret-of-the-tests';
		expect(await handlerAt(name, other, receivedAt).statusOf(messageOf(body, headers))).toBe(401);
		const late = await handlerAt(name, secret, AT + 300_001).statusOf(messageOf(body, headers));
		expect(late).toBe(receivedAt === undefined ? 202 : 401);
	});

	test('is genuine with either of two secrets', async () => {
		const other = name === 'okendo' ? OTHER_SECRET : 'another-secret-of-the-tests';
		for (const both of [`${secret} ${other}`, `${other}\n${secret}`])
			expect(await handlerAt(name, both, receivedAt).statusOf(messageOf(body, headers))).toBe(202);
	});
});

test('a header that comes twice is one signature with a comma in it, and no signature', async () => {
	for (const name of ['woocommerce', 'shopify', 'judgeme', 'sanity'] as const) {
		const { secret, body, headers, signature, receivedAt } = VECTORS[name];
		const { statusOf, changes } = handlerAt(name, secret, receivedAt);
		const twice = { [signature]: `${headers[signature]}, ${headers[signature]}` };
		expect(await statusOf(messageOf(body, headers), { headers: twice }), name).toBe(401);
		expect(changes).toEqual([]);
	}
});

test('hexadecimal letters may be large, and those of base64 may not', async () => {
	for (const [name, status] of [
		['judgeme', 202],
		['shopify', 401],
	] as const) {
		const { secret, body, headers, signature } = VECTORS[name];
		const upper = { [signature]: headers[signature]?.toUpperCase() };
		expect(await handlerAt(name, secret).statusOf(messageOf(body, headers), { headers: upper })).toBe(status);
	}
});

test.each([
	['as it is', 'stamped-secret-0123456789', 202],
	['cut short', 'stamped-secret-012345678', 401],
	['missing', undefined, 401],
])('the key of stamped, %s, is answered %s', async (_what, key, status) => {
	const { statusOf } = handlerAt('stamped', 'stamped-secret-0123456789');
	const message = messageOf('{"productId":8012345678901}', {});
	expect(await statusOf(message, { headers: { 'x-stamped-webhook-secret': key } })).toBe(status);
});

const NOTHING = 'nothing';
const ALL = 'all';
const GID = 'gid://shopify/Product/8012345678901';
const ID = 8_012_345_678_901;
const judgeme = (event: string, review: object) => ({ event, platform: 'shopify', review });

test.each<[ServiceName, string, unknown, string[] | typeof NOTHING | typeof ALL]>([
	['woocommerce', 'a product', { id: 128, parent_id: 0, name: 'Kettle', status: 'publish' }, ['128']],
	['woocommerce', 'a variation', { id: 131, parent_id: 128 }, ['128']],
	['woocommerce', 'a product that was deleted', { id: 128 }, ['128']],
	['woocommerce', 'no product', { action: 'x' }, NOTHING],
	['shopify', 'a product with few fields', { id: ID, updated_at: '2026-05-04T09:10:00Z' }, [String(ID)]],
	['shopify', 'a product by its name', { id: GID }, [String(ID)]],
	['shopify', 'an order', { id: 5, admin_graphql_api_id: 'gid://shopify/Order/5' }, NOTHING],
	[
		'shopify',
		'a review',
		{ id: 'gid://shopify/Metaobject/511', type: 'product_review', fields: { rating: '{}', product: GID } },
		[String(ID)],
	],
	[
		'shopify',
		'a review that was deleted',
		{ id: 'gid://shopify/Metaobject/511', type: 'product_review' },
		ALL,
	],
	[
		'shopify',
		'another metaobject',
		{ id: 'gid://shopify/Metaobject/7', type: 'banner', fields: { product: GID } },
		NOTHING,
	],
	[
		'judgeme',
		'a new review',
		judgeme('review/created', { product_external_id: ID, curated: 'not-yet' }),
		[String(ID)],
	],
	['judgeme', 'an id as text', judgeme('review/updated', { product_external_id: String(ID) }), [String(ID)]],
	[
		'judgeme',
		'a review that is hidden',
		judgeme('review/updated', { product_external_id: ID, hidden: true }),
		[String(ID)],
	],
	[
		'judgeme',
		'a new one that is hidden',
		judgeme('review/created', { product_external_id: ID, hidden: true }),
		NOTHING,
	],
	[
		'judgeme',
		'a new one that is spam',
		judgeme('review/created', { product_external_id: ID, curated: 'spam' }),
		NOTHING,
	],
	['judgeme', 'a review that failed', judgeme('review/created_fail', { product_external_id: ID }), NOTHING],
	['judgeme', 'a review of the shop', judgeme('review/created', { product_external_id: 0 }), NOTHING],
	['judgeme', 'a review of nothing', judgeme('review/created', { product_external_id: null }), NOTHING],
	['okendo', 'a review', { resourceType: 'review', resource: { productId: `shopify-${ID}` } }, [String(ID)]],
	['okendo', 'a question', { resourceType: 'question', resource: { productId: `shopify-${ID}` } }, NOTHING],
	['stamped', 'a review', { id: 5_100_001, productId: ID, productName: 'Shelf' }, [String(ID)]],
	['stamped', 'a review of the shop', { id: 5_100_002, productId: null }, NOTHING],
	['sanity', 'a review', { pid: 'KET-12' }, ['KET-12']],
	['sanity', 'several products', { pid: ['KET-12', 'KET-13'] }, ['KET-12', 'KET-13']],
	['sanity', 'another document', { pid: null }, NOTHING],
	...SERVICE_NAMES.flatMap((name) =>
		[null, 'text', [], {}, undefined].map(
			(body) => [name, String(JSON.stringify(body)), body, NOTHING] as const,
		),
	).map((row): [ServiceName, string, unknown, typeof NOTHING] => [...row]),
])('%s: %s', async (name, _what, json, expected) => {
	const options = {
		...serviceWebhooks(name, name === 'okendo' ? SECRET : 'a-secret-of-the-tests'),
		verify: () => ({}),
	};
	const { handle, changes, errors } = testHandler(options);
	const response = await handle(requestOf(messageOf(JSON.stringify(json) ?? '', {})));
	const status = expected === NOTHING ? 'ignored' : 'accepted';
	expect([response.status, await response.json(), errors]).toEqual([202, { status }, []]);
	const found = changes.map(({ pids, all }) => (all ? ALL : pids));
	expect(found).toEqual(expected === NOTHING ? [] : [expected]);
});

test('the ping of woocommerce is answered with 200 exactly, changes nothing, and is no way in', async () => {
	const form = { 'content-type': 'application/x-www-form-urlencoded' };
	const { handle, statusOf, changes } = handlerAt('woocommerce', 'woo-secret-0123456789');
	expect((await handle(requestOf(messageOf('webhook_id=123', form)))).status).toBe(200);
	for (const body of ['webhook_id=', 'webhook_id=1&id=2', 'id=1', 'webhook_id=1\n{"id":1}', 'xwebhook_id=1'])
		expect(await statusOf(messageOf(body, form)), body).toBe(415);
	expect(await statusOf(messageOf(`webhook_id=${'1'.repeat(300)}`, form))).toBe(415);
	expect(changes).toEqual([]);
	const other = handlerAt('shopify', 'a-secret-of-the-tests');
	expect(await other.statusOf(messageOf('webhook_id=123', form))).toBe(415);
});

const base64Of = (body: string, secret: string) => createHmac('sha256', secret).update(body).digest('base64');

test('a secret that woocommerce made up may have spaces in it', async () => {
	const secret = 'r#5 xN{k~8=v0>Lq;3 t9-Zs}P1 :wB7_yG[4mE/2cJ?hU6dA.';
	const header = { 'x-wc-webhook-signature': base64Of('{"id":1}', secret) };
	expect(await handlerAt('woocommerce', secret).statusOf(messageOf('{"id":1}', header))).toBe(202);
});

test('whole products may have more bytes than other events', async () => {
	const secret = 'a-secret-of-the-tests';
	const body = (bytes: number) => `{"id":1,"x":"${'x'.repeat(bytes)}"}`;
	for (const [name, header, bytes, status] of [
		['woocommerce', 'x-wc-webhook-signature', 1_000_000, 202],
		['shopify', 'x-shopify-hmac-sha256', 1_000_000, 202],
		['shopify', 'x-shopify-hmac-sha256', 4_200_000, 413],
		['stamped', 'x-stamped-webhook-secret', 300_000, 413],
	] as const) {
		const message = messageOf(body(bytes), { [header]: base64Of(body(bytes), secret) });
		expect(await handlerAt(name, secret).statusOf(message), name).toBe(status);
	}
});

test.each<[ServiceName, Record<string, string>]>([
	['woocommerce', { 'x-wc-webhook-delivery-id': 'd-2' }],
	['shopify', { 'x-shopify-webhook-id': 'b54557e4-bdd9-4b37-8a5f-bf7d70bcd043' }],
])(
	'an event of %s that is sent again is known by its header, and the same body is another event',
	async (name, id) => {
		const { secret, body, headers } = VECTORS[name as 'shopify'];
		const { statusOf, changes } = handlerAt(name, secret);
		const [header = ''] = Object.keys(id);
		for (const value of [id[header], id[header], 'another'])
			expect(await statusOf(messageOf(body, headers), { headers: { [header]: value } })).toBe(202);
		expect(changes).toHaveLength(2);
	},
);

test('an event without an id of its own is known by its signature, for ten minutes', async () => {
	const { secret, body, headers } = VECTORS.judgeme;
	const { statusOf, changes, advance } = testHandler(serviceWebhooks('judgeme', secret));
	for (const count of [1, 1, 2]) {
		expect(await statusOf(messageOf(body, headers))).toBe(202);
		expect(changes).toHaveLength(count);
		advance(count === 1 ? 300_001 : 0);
	}
});

test('two events for one change make one run', async () => {
	const { collector, rebuilds } = collecting(createMemoryLog());
	const { statusOf } = testHandler({
		...serviceWebhooks('judgeme', 'judgeme-token-0123456789'),
		onChange: (change) => collector.add({ ...change, receivedAt: Date.now() }),
	});
	for (const event of ['review/created', 'review/published']) {
		const body = JSON.stringify(judgeme(event, { product_external_id: ID, curated: 'ok' }));
		const signature = createHmac('sha256', 'judgeme-token-0123456789').update(body).digest('hex');
		expect(await statusOf(messageOf(body, { 'judgeme-hmac-sha256': signature }))).toBe(202);
	}
	await advance(QUIET);
	expect(rebuilds.map(({ what }) => what)).toEqual([[String(ID)]]);
});

describe('what cannot be set up', () => {
	const read = (from: ServiceName, secret?: string) =>
		readReception({ from, secretEnv: 'S', keyEnv: 'K' }, () => secret);

	test.each(SERVICE_NAMES)('%s without a secret, or with one that can be guessed', (name) => {
		const code = 'PR_WEBHOOK_SECRET';
		const message = `The environment variable S is not set. Set it to the secret of the webhook at ${name}.`;
		for (const secret of [undefined, ' \n'])
			expect(() => read(name, secret)).toThrow(expect.objectContaining({ code, message }));
		expect(() => read(name, 'canary-short')).toThrow(expect.objectContaining({ code }));
		expect(() => read(name, 'canary-short')).not.toThrow('canary');
		expect(() => serviceWebhooks(name, undefined)).toThrow(expect.objectContaining({ code }));
	});

	test.each(['loox', 'toString', ''])('the service "%s"', (name) => {
		expect(() => serviceWebhooks(name as ServiceName, SECRET)).toThrow(
			`The service "${name}" is unknown. Known are woocommerce, shopify, judgeme, okendo, stamped, sanity.`,
		);
	});
});
