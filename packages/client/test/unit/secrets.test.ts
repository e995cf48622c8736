import { inspect } from 'node:util';
import { errorOf } from 'product-reviews-test-support/error-of';
import { expect, test } from 'vitest';
import { createTokenSource } from '../../src/http/create-token-source.js';
import { createReviewsClient, type ReviewsClientOptions, ReviewsError } from '../../src/index.js';
import { crawlerPayload } from '../support/payloads.js';
import { type Behaviour, sendJson, sendStatus } from '../support/server.js';
import { TOKEN, useSetup } from '../support/setup.js';

const setup = useSetup();

/** The token in every form that a log or a header may hold it in. */
const FORMS = [TOKEN, encodeURIComponent(TOKEN), Buffer.from(TOKEN).toString('base64')];

function everythingOf(value: unknown): string {
	const seen: string[] = [inspect(value, { depth: 10, showHidden: true, getters: true }), String(value)];
	try {
		seen.push(JSON.stringify(value) ?? '');
	} catch {
		seen.push('a circle');
	}
	for (let error = value; error instanceof Error; error = error.cause) {
		seen.push(error.message, error.stack ?? '', JSON.stringify(error, Object.getOwnPropertyNames(error)));
	}
	return seen.join('\n');
}

function expectNoToken(value: unknown): void {
	const text = everythingOf(value);
	for (const form of FORMS) expect(text).not.toContain(form);
}

/** What a careless fetch may throw: the request with its headers, in message, property and cause. */
const carelessFetch: typeof fetch = async (_url, init) => {
	const cause = Object.assign(new Error(`Invalid header: "Bearer ${TOKEN}"`), {
		request: init,
		code: `E_${TOKEN}`,
	});
	throw Object.assign(new TypeError(`fetch failed for ${TOKEN}`, { cause }), { config: init });
};

const FAILURES: [string, Behaviour, Partial<ReviewsClientOptions>][] = [
	['401', (response) => sendStatus(response, 401), {}],
	['503', (response) => sendStatus(response, 503), {}],
	['an echo in the status text', (response) => response.writeHead(418, `no ${TOKEN}`).end(), {}],
	['an echo in the body', (response) => response.writeHead(200).end(`<p>${TOKEN}`), {}],
	['an echo in the content type', (response) => response.writeHead(200, { 'content-type': TOKEN }).end(), {}],
	['an echo as product id', (response) => sendJson(response, { data: [{ pid: TOKEN }] }), {}],
	[
		'an echo in a redirect',
		(response) => sendStatus(response, 307, { location: `http://${TOKEN}.example/` }),
		{},
	],
	['a long pause', (response) => sendStatus(response, 429, { 'retry-after': '9999' }), {}],
	['a time-out', () => {}, { timeout: 20, retries: 0 }],
	['the deadline', () => {}, { deadline: 20 }],
	['a reset', (response) => response.socket?.resetAndDestroy(), {}],
	['a careless fetch', () => {}, { fetch: carelessFetch }],
	['a fetch that throws a text', () => {}, { fetch: () => Promise.reject(`text ${TOKEN}`) }],
	[
		'a fetch that throws at once',
		() => {},
		{
			fetch: () => {
				throw new Error(TOKEN);
			},
		},
	],
	[
		'a token function that throws',
		() => {},
		{
			token: () => {
				throw new Error(`cannot use ${TOKEN}`);
			},
		},
	],
	['a token function with a bad answer', () => {}, { token: () => `${TOKEN}\n${TOKEN}` }],
];

test.each(FAILURES)('the token is nowhere in the error after %s', async (_name, behaviour, options) => {
	setup.server.answer(behaviour);
	const client = setup.client(options);
	const error = await errorOf(client.getProductReviewData('p-1'));
	expect(error).toBeInstanceOf(ReviewsError);
	expectNoToken(error);
	for (const event of setup.events) {
		expectNoToken(event);
		expectNoToken(event.error);
	}
	expectNoToken(client);
});

test('a cause keeps what is safe', async () => {
	const client = setup.client({ fetch: carelessFetch, retries: 0 });
	const { cause } = (await errorOf(client.getProductReviewData('p-1'))) as Error;
	expect(cause).toMatchObject({
		name: 'TypeError',
		message: 'fetch failed for [redacted]',
		cause: { message: 'Invalid header: "Bearer [redacted]"', code: 'E_[redacted]' },
	});
	expect(cause).not.toHaveProperty('config');
});

test('tokens of a function are taken out of causes, too, the old one with the new one', async () => {
	let asked = 0;
	const client = setup.client({
		token: () => {
			asked += 1;
			return `secret-${asked}`;
		},
		retries: 0,
		fetch: async () => {
			if (asked === 1) return new Response('', { status: 401 });
			throw new Error('sent secret-1, then secret-2');
		},
	});
	const { cause } = (await errorOf(client.getProductReviewData('p-1'))) as Error;
	expect((cause as Error).message).toBe('sent [redacted], then [redacted]');
});

test('the token is in no message about options', () => {
	const create = () =>
		createReviewsClient({ baseUrl: `https://${TOKEN}@x.example`, wsid: 'W', token: `${TOKEN} ${TOKEN}` });
	expect(create).toThrow(ReviewsError);
	try {
		create();
	} catch (error) {
		expectNoToken(error);
	}
});

/** 206 characters: longer than what any message repeats of a text. */
const LONG_TOKEN = `eyJ${'abcDEF012.'.repeat(20)}end`;

const LONG_ECHOES: [string, Behaviour, Partial<ReviewsClientOptions>][] = [
	['in the status text', (response) => response.writeHead(418, `no ${LONG_TOKEN}`).end(), {}],
	[
		'in the content type',
		(response) => response.writeHead(200, { 'content-type': LONG_TOKEN }).end('<p>'),
		{},
	],
	[
		'in the encoding',
		(response) => response.writeHead(200, { 'content-encoding': `${LONG_TOKEN}, gzip` }).end(),
		{ fetch: async () => new Response('x', { headers: { 'content-encoding': `${LONG_TOKEN}, gzip` } }) },
	],
	[
		'in a redirect',
		(response) => sendStatus(response, 307, { location: `http://${LONG_TOKEN.toLowerCase()}.example/` }),
		{ token: LONG_TOKEN.toLowerCase() },
	],
	['as product id', (response) => sendJson(response, { ...crawlerPayload('x'), pid: LONG_TOKEN }), {}],
	[
		'as product id, with what no log shows in between',
		(response) => sendJson(response, { ...crawlerPayload('x'), pid: [...LONG_TOKEN].join('\u200b') }),
		{},
	],
	[
		'in the code of a failed connection',
		() => {},
		{ fetch: () => Promise.reject(Object.assign(new Error('x'), { code: `E_${LONG_TOKEN}` })) },
	],
];

test.each(LONG_ECHOES)(
	'no part of a long token is in the error after an echo %s',
	async (_name, behaviour, options) => {
		setup.server.answer(behaviour);
		const client = setup.client({ token: LONG_TOKEN, authorizeCrawlerReviews: true, retries: 0, ...options });
		const error = (await errorOf(client.getCrawlerReviews('p-1'))) as Error;
		expect(error).toBeInstanceOf(ReviewsError);
		const shown = everythingOf(error).toLowerCase().replaceAll('\u200b', '');
		for (let start = 0; start < 150; start += 10) {
			expect(shown).not.toContain(LONG_TOKEN.toLowerCase().slice(start, start + 20));
		}
	},
);

test('no part of a long token is in a message about products', async () => {
	setup.server.answer((response) => sendStatus(response, 429, { 'retry-after': '9999' }));
	const client = setup.client({ token: LONG_TOKEN });
	for (let count = 0; count < 2; count += 1) {
		const { message } = (await errorOf(client.getProductReviewData(LONG_TOKEN))) as Error;
		expect(message).toContain('product "[redacted]"');
		expect(message).not.toContain(LONG_TOKEN.slice(0, 12));
	}
});

test.each([
	['baseUrl', { baseUrl: LONG_TOKEN }],
	['timeout', { timeout: LONG_TOKEN as unknown as number }],
])('a long token that was given as %s by mistake is not repeated', (_option, options) => {
	const create = () =>
		createReviewsClient({ baseUrl: 'https://x.example', wsid: 'W', token: LONG_TOKEN, ...options });
	expect(create).toThrow('[redacted]');
	expect(create).not.toThrow(LONG_TOKEN.slice(0, 12));
});

test('a token that is the start of another leaves nothing of the other', () => {
	const source = createTokenSource('abc');
	expect(source.redact('abc')).toBe('[redacted]');
	let given = 'abc';
	const both = createTokenSource(() => given);
	return both.current().then(async () => {
		given = 'abcdef';
		await both.renew('abc');
		expect(both.redact('sent abcdef')).toBe('sent [redacted]');
	});
});

test('a process that lives long remembers the tokens that it used last, and no others', async () => {
	let count = 0;
	const source = createTokenSource(() => `token-number-${count++}-`);
	for (let renewed = 0; renewed < 10_000; renewed += 1) await source.renew(`token-number-${count - 1}-`);
	const sent = `token-number-${count - 1}-`;
	expect(source.redact(sent)).toBe('[redacted]');
	expect(source.redact('token-number-0-')).toBe('token-number-0-');
});

test('an error has no query string, and is whole as JSON', async () => {
	setup.server.answer((response) => sendStatus(response, 403));
	const error = await errorOf(setup.client().getCrawlerReviews('p-1'));
	expect(JSON.parse(JSON.stringify(error))).toEqual({
		name: 'ReviewsHttpError',
		code: 'PR_REQUEST_REFUSED',
		operation: 'crawlerReviews',
		pids: ['p-1'],
		status: 403,
		attempts: 1,
		url: `${setup.server.origin}/api/llmRvwHTML`,
	});
});
