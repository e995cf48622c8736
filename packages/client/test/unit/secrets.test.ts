import { inspect } from 'node:util';
import { errorOf } from 'product-reviews-test-support/clock';
import { expect, test } from 'vitest';
import { createReviewsClient, type ReviewsClientOptions, ReviewsError } from '../../src/index.js';
import { crawlerPayload } from '../support/payloads.js';
import { type Answer, answering, never, useSetup } from '../support/setup.js';

const setup = useSetup();

/** 209 characters, which is longer than what any message repeats of a text, and valid as the name of a host. */
const TOKEN = `eyj${'abcdef012.'.repeat(20)}canary`;
/** Its parts, and it in every other form that a log or a header may hold it in. */
const FORMS = [
	...Array.from({ length: 15 }, (_, index) => TOKEN.slice(10 * index, 10 * index + 20)),
	encodeURIComponent(TOKEN),
	Buffer.from(TOKEN).toString('base64').slice(0, 20),
];

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
	return seen.join('\n').replaceAll('\u200b', '');
}

function expectNoToken(value: unknown): void {
	const text = everythingOf(value);
	for (const form of FORMS) expect(text).not.toContain(form);
}

const throwing = (message: string) => () => {
	throw new Error(message);
};

/** What a careless fetch may throw: the request with its headers, in message, property and cause. */
const carelessFetch: typeof fetch = async (_url, init) => {
	const details = { request: init, code: `E_${TOKEN}` };
	const cause = Object.assign(new Error(`Invalid header: "Bearer ${TOKEN}"`), details);
	throw Object.assign(new TypeError(`fetch failed for ${TOKEN}`, { cause }), { config: init });
};
const failedFetch = () => Promise.reject(Object.assign(new Error('x'), { code: `E_${TOKEN}` }));
const encodedTwice = { 'content-encoding': `${TOKEN}, gzip` };
const redirect = { location: `http://${TOKEN}.example/` };
const about = (pid: string) => ({ ...crawlerPayload('x'), pid, data: [{ pid }] });

test.each<[string, Answer, Partial<ReviewsClientOptions>?]>([
	['401', answering(401)],
	['503', answering(503)],
	['an echo in the status text', () => new Response('', { status: 418, statusText: `no ${TOKEN}` })],
	['an echo in the body', () => new Response(`<p>${TOKEN}`)],
	['an echo in the content type', () => new Response('<p>', { headers: { 'content-type': TOKEN } })],
	['an echo in the encoding', () => new Response('x', { headers: encodedTwice })],
	['an echo as product ID', () => Response.json(about(TOKEN))],
	['an echo with what no log shows', () => Response.json(about([...TOKEN].join('\u200b')))],
	['an echo in a redirect', answering(307, redirect)],
	['a long pause', answering(429, { 'retry-after': '9999' })],
	['a time-out', never, { timeout: 20, retries: 0 }],
	['the deadline', never, { deadline: 20 }],
	['a connection that fails', never, { fetch: undefined, baseUrl: 'http://127.0.0.1:1' }],
	['an echo in the code of a failed connection', never, { fetch: failedFetch }],
	['a careless fetch', never, { fetch: carelessFetch }],
	['a fetch that throws a text', never, { fetch: () => Promise.reject(`text ${TOKEN}`) }],
	['a fetch that throws at once', never, { fetch: throwing(TOKEN) }],
	['a token function that throws', never, { token: throwing(`cannot use ${TOKEN}`) }],
	['a token function with a bad answer', never, { token: () => `${TOKEN}\n${TOKEN}` }],
])('the token, and any part of it, is nowhere in the error after %s', async (_name, answer, options) => {
	setup.answer(answer);
	const client = setup.client({ token: TOKEN, sendTokenForReviews: true, ...options });
	for (const ask of [client.getCrawlerReviews, client.getProductReviewData]) {
		const error = await errorOf(ask('p-1'));
		expect(error).toBeInstanceOf(ReviewsError);
		expectNoToken(error);
	}
	for (const event of setup.events) {
		expectNoToken(event);
		expectNoToken(event.error);
	}
	expectNoToken(client);
});

test('a cause keeps what is safe', async () => {
	const client = setup.client({ token: TOKEN, fetch: carelessFetch, retries: 0 });
	const { cause } = await errorOf(client.getProductReviewData('p-1'));
	expect(cause).toMatchObject({
		name: 'TypeError',
		message: 'fetch failed for [redacted]',
		cause: { message: 'Invalid header: "Bearer [redacted]"', code: 'E_[redacted]' },
	});
	expect(cause).not.toHaveProperty('config');
});

test('a circle of causes ends', async () => {
	const circle = new Error('first');
	circle.cause = new Error('second', { cause: circle });
	const client = setup.client({ fetch: () => Promise.reject(circle), retries: 0 });
	let depth = 0;
	let error: unknown = await errorOf(client.getCrawlerReviews('p-1'));
	for (; error instanceof Error; depth += 1) error = error.cause;
	expect(depth).toBe(7);
});

test('tokens of a function are taken out, the old one with the new one, of which it is the start', async () => {
	let asked = 0;
	const forms = [
		's+cret',
		's+cret-new',
		encodeURIComponent('s+cret-new'),
		btoa('s+cret-new'),
		'Bearer other',
	];
	const client = setup.client({
		token: () => `s+cret${'-new'.repeat(asked++)}`,
		retries: 0,
		fetch: async () => {
			if (asked === 1) return new Response('', { status: 401 });
			throw new Error(forms.join());
		},
	});
	const { cause } = await errorOf(client.getProductReviewData('p-1'));
	expect((cause as Error).message).toBe(`${'[redacted],'.repeat(4)}Bearer [redacted]`);
});

test('no part of a token is in a message about products', async () => {
	setup.answer(answering(429, { 'retry-after': '9999' }));
	const client = setup.client({ token: TOKEN });
	for (let count = 0; count < 2; count += 1) {
		const { message } = await errorOf(client.getProductReviewData(TOKEN));
		expect(message).toContain('product "[redacted]"');
		expect(message).not.toContain(TOKEN.slice(0, 12));
	}
});

test.each([
	['a token with a blank', { baseUrl: `https://${TOKEN}@x.example`, token: `${TOKEN} ${TOKEN}` }, 'token'],
	['a base URL', { baseUrl: TOKEN }, '[redacted]'],
	['a time', { timeout: TOKEN as unknown as number }, '[redacted]'],
])('a token that was given as %s by mistake is not repeated', async (_option, options, said) => {
	const create = () =>
		createReviewsClient({ baseUrl: 'https://x.example', wsid: 'W', token: TOKEN, ...options });
	expect(create).toThrow(said);
	expect(create).not.toThrow(TOKEN.slice(0, 12));
	expectNoToken(await errorOf(async () => create()));
});
