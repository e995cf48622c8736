import { errorOf } from 'product-reviews-test-support/error-of';
import { describe, expect, expectTypeOf, test } from 'vitest';
import type { CrawlerReviews, Validators } from '../../src/index.js';
import { crawlerPayload } from '../support/payloads.js';
import { answerWell, type Behaviour, sendJson, sendStatus } from '../support/server.js';
import { useSetup } from '../support/setup.js';

const setup = useSetup();

const ETAG = 'W/"a1,b2"';
const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT';

/** A service that knows when its answer is still the same. */
const answerOnce: Behaviour = (response, call, count) => {
	const { 'if-none-match': tag, 'if-modified-since': date } = call.headers;
	if (tag === ETAG || date === DATE) return sendStatus(response, 304, { etag: ETAG });
	if (tag || date) return sendStatus(response, 418);
	if (call.path !== '/api/llmRvwHTML') return answerWell(response, call, count);
	sendJson(response, crawlerPayload('p-1'), { etag: ETAG, 'last-modified': DATE });
};

/** What a 200 with these headers gives to ask with. */
async function validatorsFrom(headers: Record<string, string>): Promise<Validators | undefined> {
	setup.server.answer((response) => sendJson(response, crawlerPayload('p-1'), headers));
	return (await setup.client().getCrawlerReviews('p-1')).validators;
}

/** The conditional headers of a request with these validators. */
async function headersFor(known: Validators) {
	setup.server.answer(answerWell);
	expect(await setup.client().getCrawlerReviews('p-1', { known })).toMatchObject({ pid: 'p-1' });
	const { 'if-none-match': tag, 'if-modified-since': date } = setup.server.calls.at(-1)?.headers ?? {};
	return { tag, date };
}

describe('a 304', () => {
	test('answers "unchanged", and its event says 304', async () => {
		setup.server.answer(answerOnce);
		const first = await setup.client().getCrawlerReviews('p-1');
		expect(first.validators).toEqual({ etag: ETAG, lastModified: DATE });
		const second = await setup.client().getCrawlerReviews('p-1', { known: first.validators });
		expect(second).toBe('unchanged');
		expect(setup.events).toMatchObject([
			{ method: 'GET', url: expect.not.stringContaining('?'), status: 200 },
			{ status: 304, bytes: 0, attempt: 1 },
		]);
		expect(setup.events[1]).not.toHaveProperty('error');
		expect(setup.server.calls[0]?.headers).not.toHaveProperty('if-none-match');
	});

	test('to a date answers "unchanged", too', async () => {
		setup.server.answer(answerOnce);
		const known = { lastModified: DATE };
		expect(await setup.client().getCrawlerReviews('p-1', { known })).toBe('unchanged');
	});

	test.each([undefined, {}, { etag: 'a1' }])(
		'that nobody asked for is an error, and final: known %j',
		async (known) => {
			setup.server.answer((response) => sendStatus(response, 304));
			const error = await errorOf(setup.client().getCrawlerReviews('p-1', { known }));
			expect(error).toMatchObject({ name: 'ReviewsHttpError', status: 304, attempts: 1 });
		},
	);

	test('to another operation is an error', async () => {
		setup.server.answer((response) => sendStatus(response, 304));
		const error = await errorOf(setup.client().getProductReviewData('p-1'));
		expect(error).toMatchObject({ name: 'ReviewsHttpError', status: 304, attempts: 1 });
	});
});

describe('what is sent', () => {
	test('the tag, and the date where there is no tag', async () => {
		expect(await headersFor({ etag: ETAG, lastModified: DATE })).toEqual({ tag: ETAG });
		expect(await headersFor({ etag: 'nonsense', lastModified: DATE })).toEqual({ date: DATE });
		expect(await headersFor({})).toEqual({});
	});

	test.each([
		['a1'],
		['"a"b"'],
		['"a", "b"'],
		['*'],
		['w/"a"'],
		['"a b"'],
		['"a"\r\nx-injected: 1'],
		['"a\n"'],
		['"ä"'],
		['" "'],
		[`"${'x'.repeat(255)}"`],
		[''],
		[7],
		[null],
		[{}],
	])('what is no tag is not sent: %j', async (etag) => {
		expect(await headersFor({ etag: etag as string })).toEqual({});
	});

	test.each([
		['yesterday'],
		['2026-11-20'],
		['0'],
		[`${DATE}\r\nx-injected: 1`],
		['Sun, 99 Nov 1994 99:49:37 GMT'],
		[' '.repeat(300)],
		[784_111_777],
		[null],
	])('what is no date is not sent: %j', async (lastModified) => {
		expect(await headersFor({ lastModified: lastModified as string })).toEqual({});
	});

	test('with every try, after a refused token and on a redirect, too', async () => {
		setup.server.answer((response, call, count) => {
			if (count === 1) return sendStatus(response, 503);
			if (count === 2) return sendStatus(response, 401);
			if (count === 3) return sendStatus(response, 302, { location: `${call.url}&moved` });
			answerOnce(response, call, count);
		});
		const client = setup.client({ authorizeCrawlerReviews: true, token: () => 'token' });
		expect(await client.getCrawlerReviews('p-1', { known: { etag: ETAG } })).toBe('unchanged');
		expect(setup.server.calls.map(({ headers }) => headers['if-none-match'])).toEqual(Array(4).fill(ETAG));
		expect(setup.events.map(({ status }) => status)).toEqual([503, 401, 304]);
	});
});

describe('what an answer brings', () => {
	test.each<[Record<string, string>, Validators | undefined]>([
		[{ etag: '"a1"' }, { etag: '"a1"' }],
		[{ 'last-modified': DATE }, { lastModified: DATE }],
		[{ etag: 'a1', 'last-modified': 'soon' }, undefined],
		[{ etag: `"${'x'.repeat(254)}"` }, { etag: `"${'x'.repeat(254)}"` }],
		[{ etag: `"${'x'.repeat(255)}"` }, undefined],
		[{}, undefined],
	])('%j', async (headers, validators) => {
		expect(await validatorsFrom(headers)).toEqual(validators);
	});

	test('a 404 has none', async () => {
		setup.server.answer((response) => sendStatus(response, 404, { etag: ETAG }));
		const known = { etag: ETAG };
		expect(await setup.client().getCrawlerReviews('p-1', { known })).not.toHaveProperty('validators');
	});
});

test('only who gives validators has to expect "unchanged"', () => {
	const client = setup.client();
	const known: Validators | undefined = { etag: ETAG };
	const plain = () => client.getCrawlerReviews('p-1', { html: false });
	const conditional = () => client.getCrawlerReviews('p-1', { known });
	expectTypeOf<Awaited<ReturnType<typeof plain>>>().toEqualTypeOf<CrawlerReviews>();
	expectTypeOf<Awaited<ReturnType<typeof conditional>>>().toEqualTypeOf<CrawlerReviews | 'unchanged'>();
});
