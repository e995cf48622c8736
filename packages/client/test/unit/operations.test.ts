import { errorOf } from 'product-reviews-test-support/clock';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { OPERATIONS, type Operation } from '../../src/contract.js';
import { type ReviewsClient, ReviewsConfigurationError, ReviewsResponseError } from '../../src/index.js';
import { crawlerPayload, starRatingItemOf } from '../support/payloads.js';
import { type Answer, answering, never, ORIGIN, TOKEN, useSetup } from '../support/setup.js';

const setup = useSetup();

const ASK: Readonly<Record<Operation, (client: ReviewsClient, pid: string) => Promise<unknown>>> = {
	starRating: async (client, pid) => (await client.getStarRatings([pid])).get(pid),
	productReviewData: (client, pid) => client.getProductReviewData(pid),
	crawlerReviews: (client, pid) => client.getCrawlerReviews(pid),
};
const ids = (count: number) => Array.from({ length: count }, (_, index) => `p-${index}`);

describe.each(Object.keys(ASK) as Operation[])('%s', (operation) => {
	const ask = ASK[operation];

	test('is told about in an event with method and address, and nothing that may be secret', async () => {
		await ask(setup.client({ sendTokenForReviews: true }), 'p-1');
		const { method, path } = OPERATIONS[operation];
		expect(setup.events).toMatchObject([
			{ operation, method, url: ORIGIN + path, pids: ['p-1'], attempt: 1, status: 200 },
		]);
		expect(JSON.stringify(setup.events)).not.toContain(TOKEN);
	});

	// They have broken somebody's address, header, file name or log before.
	test.each([
		'a/b/../c',
		'100%',
		'%2e%2e',
		'a&b=c?d#e',
		'плюс+пробел и',
		'👩‍👩‍👧‍👦',
		`"quoted" 'pid'`,
		'<script>',
		'line\r\nbreak\u0000',
		'x'.repeat(500),
		' ',
	])('reaches the product %j', async (pid) => {
		expect(await ask(setup.client(), pid)).toMatchObject({ pid });
		expect(setup.calls[0]?.pids).toEqual([pid]);
	});

	test('replaces a lone surrogate on the wire, and keeps it in the answer', async () => {
		const answer = await ask(setup.client(), 'p-\ud800');
		expect(answer).toMatchObject({ pid: operation === 'starRating' ? 'p-\ufffd' : 'p-\ud800' });
		expect(setup.calls[0]?.pids).toEqual(['p-\ufffd']);
	});

	test.each([[''], [undefined], [7], [null]])('refuses %j as a product ID', async (pid) => {
		const error = await errorOf(ask(setup.client(), pid as string));
		expect(error).toBeInstanceOf(ReviewsConfigurationError);
		expect(error).toMatchObject({ code: 'PR_INVALID_PRODUCT_ID' });
		expect(setup.calls).toHaveLength(0);
	});

	test('takes a 404 of the service for "no reviews"', async () => {
		setup.answer(answering(404, { etag: '"a"' }));
		const none = {
			starRating: undefined,
			productReviewData: expect.objectContaining({ pid: 'p-1', reviews: [], questionCount: 0 }),
			crawlerReviews: { pid: 'p-1', aggregate: { count: 0, average: 0 }, html: '', jsonld: '' },
		};
		expect(await ask(setup.client(), 'p-1')).toEqual(none[operation]);
		expect(setup.events).toMatchObject([{ status: 404 }]);
		expect(setup.events[0]).not.toHaveProperty('error');
	});
});

test('operations that need a token say so, before any request', async () => {
	const client = setup.client({ token: undefined });
	for (const operation of ['starRating', 'productReviewData'] as const) {
		const error = await errorOf(ASK[operation](client, 'p-1'));
		expect(error).toBeInstanceOf(ReviewsConfigurationError);
		expect(error.message).toContain('Give it as the option token.');
	}
	expect(setup.calls).toHaveLength(0);
});

describe('getCrawlerReviews', () => {
	test('asks for both parts, without the token, and says who asks', async () => {
		const reviews = await setup.client().getCrawlerReviews('p-1');
		const { html, jsonld } = crawlerPayload('p-1');
		expect(reviews).toEqual({ pid: 'p-1', aggregate: { count: 12, average: 4.5 }, html, jsonld });
		const [call] = setup.calls;
		expect(call?.method).toBe('GET');
		expect(call?.url).toBe('/api/llmRvwHTML?wsid=W-1&pid=p-1&ihtml=true&ijsonld=true');
		expect(call?.headers).toMatchObject({
			accept: 'application/json',
			'accept-encoding': 'gzip, br',
			'user-agent': `product-reviews-client/${packageJson.version}`,
		});
		expect(call?.headers).not.toHaveProperty('authorization');
		await setup.client({ sendTokenForReviews: true }).getCrawlerReviews('p-1');
		expect(setup.calls[1]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
	});

	test.each<[{ html?: boolean; jsonld?: boolean }, string, string[]]>([
		[{ html: false }, '&ijsonld=true', ['', crawlerPayload('p-1').jsonld]],
		[{ jsonld: false }, '&ihtml=true', [crawlerPayload('p-1').html, '']],
		[{ html: false, jsonld: false }, '', ['', '']],
	])('%j leaves out the flag of the other part', async (options, flags, parts) => {
		setup.answer(({ url }) => {
			const { html, jsonld, ...rest } = crawlerPayload('p-1');
			const wanted = { ...(url.includes('ihtml') && { html }), ...(url.includes('ijsonld') && { jsonld }) };
			return Response.json({ ...rest, ...wanted });
		});
		const { html, jsonld } = await setup.client().getCrawlerReviews('p-1', options);
		expect([html, jsonld]).toEqual(parts);
		expect(setup.calls[0]?.url).toBe(`/api/llmRvwHTML?wsid=W-1&pid=p-1${flags}`);
	});

	test.each<[object, string]>([
		[{ pid: 'p-2' }, 'wrong-product'],
		[{ html: undefined }, 'missing-part'],
		[{ jsonld: undefined }, 'missing-part'],
		[{ dataCount: undefined }, 'schema'],
		[{ status: 500 }, 'unsuccessful'],
		[{ success: false }, 'unsuccessful'],
		[{ html: 7 }, 'schema'],
	])('an answer with %j is refused as %s, and not asked for again', async (spoiled, reason) => {
		const error = await setup.failure(() => Response.json({ ...crawlerPayload('p-1'), ...spoiled }));
		expect(error).toBeInstanceOf(ReviewsResponseError);
		const facts = { pid: 'p-1', status: 200, attempts: 1, operation: 'crawlerReviews' };
		expect(error).toMatchObject({ reason, ...facts });
		expect(setup.calls).toHaveLength(1);
	});

	test('null for a part that was asked for counts as empty, and 42 as the product "42"', async () => {
		setup.answer(() => Response.json({ ...crawlerPayload('42'), pid: 42, jsonld: null }));
		expect(await setup.client().getCrawlerReviews('42')).toMatchObject({ pid: '42', jsonld: '' });
	});
});

describe('conditional requests', () => {
	const ETAG = 'W/"a1,b2"';
	const DATE = 'Sun, 06 Nov 1994 08:49:37 GMT';

	/** A service that knows when its answer is still the same. */
	const answerOnce: Answer = (call, count) => {
		const { 'if-none-match': tag, 'if-modified-since': date } = call.headers;
		if (tag === ETAG || date === DATE) return answering(304, { etag: ETAG })(call, count);
		if (tag || date) return answering(418)(call, count);
		return Response.json(crawlerPayload('p-1'), { headers: { etag: ETAG, 'last-modified': DATE } });
	};

	test('a 304 answers "unchanged", and its event says 304', async () => {
		setup.answer(answerOnce);
		const client = setup.client();
		const { validators: known } = await client.getCrawlerReviews('p-1');
		expect(known).toEqual({ etag: ETAG, lastModified: DATE });
		expect(await client.getCrawlerReviews('p-1', { known })).toBe('unchanged');
		expect(await client.getCrawlerReviews('p-1', { known: { lastModified: DATE } })).toBe('unchanged');
		expect(setup.events).toMatchObject([{ status: 200 }, { status: 304, bytes: 0 }, { status: 304 }]);
		expect(setup.events[1]).not.toHaveProperty('error');
		expect(setup.calls[0]?.headers).not.toHaveProperty('if-none-match');
	});

	test.each([undefined, {}, { etag: 'a1' }])(
		'a 304 that nobody asked for is an error, and final: known %j',
		async (known) => {
			setup.answer(answering(304));
			const errors = await Promise.all([
				errorOf(setup.client().getCrawlerReviews('p-1', { known })),
				errorOf(setup.client().getProductReviewData('p-1')),
			]);
			const refused = { name: 'ReviewsHttpError', status: 304, attempts: 1 };
			expect(errors).toMatchObject([refused, refused]);
		},
	);

	const NO_TAGS = ['a1', '"a"b"', '"a", "b"', '*', 'w/"a"', '"a b"', '"a"\r\nx-injected: 1', '"a\n"', '" "'];
	const NO_DATES = ['yesterday', '2026-11-20', '0', `${DATE}\r\nx-injected: 1`, ' '.repeat(300)];

	test.each<[object, string | undefined, string | undefined]>([
		[{ etag: ETAG, lastModified: DATE }, ETAG, undefined],
		[{ etag: 'nonsense', lastModified: DATE }, undefined, DATE],
		[{}, undefined, undefined],
		...[...NO_TAGS, '"ä"', `"${'x'.repeat(255)}"`, '', 7, null, {}].map((etag) => asNothing({ etag })),
		...[...NO_DATES, 'Sun, 99 Nov 1994 99:49:37 GMT', 784_111_777, null].map((lastModified) =>
			asNothing({ lastModified }),
		),
	])('of what is known, %j, the valid tag is sent, or else the valid date', async (known, tag, date) => {
		await setup.client().getCrawlerReviews('p-1', { known });
		const { headers } = setup.calls[0] ?? {};
		expect([headers?.['if-none-match'], headers?.['if-modified-since']]).toEqual([tag, date]);
	});

	test.each<[Record<string, string>, object | undefined]>([
		[{ etag: '"a1"' }, { etag: '"a1"' }],
		[{ 'last-modified': DATE }, { lastModified: DATE }],
		[{ etag: 'a1', 'last-modified': 'soon' }, undefined],
		[{ etag: `"${'x'.repeat(254)}"` }, { etag: `"${'x'.repeat(254)}"` }],
		[{ etag: `"${'x'.repeat(255)}"` }, undefined],
		[{}, undefined],
	])('an answer with %j has these validators: %j', async (headers, validators) => {
		setup.answer(() => Response.json(crawlerPayload('p-1'), { headers }));
		expect((await setup.client().getCrawlerReviews('p-1')).validators).toEqual(validators);
	});

	test('go on with every try, after a refused token, too', async () => {
		const failures = [answering(503), answering(401)];
		setup.answer((call, count) => (failures[count - 1] ?? answerOnce)(call, count));
		const client = setup.client({ sendTokenForReviews: true, token: () => 'token' });
		expect(await client.getCrawlerReviews('p-1', { known: { etag: ETAG } })).toBe('unchanged');
		expect(setup.calls.map(({ headers }) => headers['if-none-match'])).toEqual(Array(3).fill(ETAG));
		expect(setup.events.map(({ status }) => status)).toEqual([503, 401, 304]);
	});
});

test('getProductReviewData posts the product with the token', async () => {
	const data = await setup.client().getProductReviewData('p-1');
	expect(data).toMatchObject({ pid: 'p-1', summary: { count: 12 }, questionCount: 4 });
	const [call] = setup.calls;
	expect([call?.method, call?.url]).toEqual(['POST', '/api/v1/getProductReviewData']);
	expect(call?.body).toEqual({ productId: 'p-1' });
	const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
	expect(call?.headers).toMatchObject(headers);
});

describe('getStarRatings', () => {
	test('asks once for each product, in lists, and answers in the order asked', async () => {
		const pids = ids(250);
		const ratings = await setup.client().getStarRatings([...pids, 'p-1', 'p-2'].values());
		expect([...ratings.keys()]).toEqual(pids);
		expect(ratings.get('p-7')).toMatchObject({ pid: 'p-7', average: 4.5, count: 12, questionCount: 3 });
		const { calls } = setup;
		expect(calls.map((call) => call.pids.length).toSorted((a, b) => b - a)).toEqual([100, 100, 50]);
		expect(calls[0]?.body).toEqual({ listProductId: calls[0]?.pids });
		expect(calls[0]).toMatchObject({ method: 'POST', url: '/api/v1/getStarRating' });
		expect(calls[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
	});

	test('an empty list answers without a request, and without a token', async () => {
		expect(await setup.client({ token: undefined }).getStarRatings([])).toEqual(new Map());
		expect(setup.calls).toHaveLength(0);
	});

	test('products that were not asked for are ignored, unknown ones are missing', async () => {
		setup.answer(() => Response.json({ success: true, data: ['b', 'stranger'].map(starRatingItemOf) }));
		expect([...(await setup.client().getStarRatings(['a', 'b'])).keys()]).toEqual(['b']);
	});

	/** A service that answers with a status where a list is not as it wants it, and well otherwise. */
	const refuse = (status: number, isRefused: (pids: readonly string[]) => boolean) =>
		setup.answer((call, count) => answering(isRefused(call.pids) ? status : 200)(call, count));

	test.each([413, 400])('a %i halves the list and goes on', async (status) => {
		refuse(status, ({ length }) => length > 30);
		const ratings = await setup.client().getStarRatings(ids(100));
		expect([...ratings.keys()]).toEqual(ids(100));
		expect(setup.calls.map((call) => call.pids.length)).toEqual([100, 50, 25, 25, 50, 25, 25]);
	});

	test('a single product at fault is named, after few requests', async () => {
		refuse(400, (pids) => pids.includes('p-77'));
		const error = await errorOf(setup.client().getStarRatings(ids(100)));
		expect(error).toMatchObject({ name: 'ReviewsHttpError', status: 400, pid: 'p-77' });
		expect(setup.calls.length).toBeLessThan(20);
	});

	test('when one list fails, nothing goes on afterwards', async () => {
		setup.answer((call, count) => (count === 2 ? answering(403) : never)(call, count));
		const client = setup.client();
		const error = await errorOf(client.getStarRatings(ids(5_000)));
		expect(error).toMatchObject({ status: 403, message: expect.stringContaining('100 products ("p-') });
		setup.answer(answering(200));
		await client.getCrawlerReviews('p-1');
		expect(setup.calls.length).toBeLessThanOrEqual(8 + 1);
	});
});

function asNothing(known: object): [object, undefined, undefined] {
	return [known, undefined, undefined];
}
