import { errorOf } from 'product-reviews-test-support/error-of';
import { describe, expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { ReviewsConfigurationError, ReviewsHttpError, ReviewsResponseError } from '../../src/index.js';
import { VERSION } from '../../src/version.js';
import { crawlerPayload, starRatingItemOf } from '../support/payloads.js';
import { answerWell, sendJson, sendStatus } from '../support/server.js';
import { TOKEN, useSetup } from '../support/setup.js';

const setup = useSetup();

/** Ids that have broken somebody's address, header, file name or log before. */
const ODD_PIDS = [
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
];

describe('getCrawlerReviews', () => {
	test('asks for both parts, without the token, and says who asks', async () => {
		const reviews = await setup.client().getCrawlerReviews('p-1');
		const { html, jsonld } = crawlerPayload('p-1');
		expect(reviews).toEqual({ pid: 'p-1', aggregate: { count: 12, average: 4.5 }, html, jsonld });
		const [call] = setup.server.calls;
		expect(call?.method).toBe('GET');
		expect(call?.url).toBe('/api/llmRvwHTML?wsid=W-1&pid=p-1&ihtml=true&ijsonld=true');
		expect(call?.headers).toMatchObject({
			accept: 'application/json',
			'accept-encoding': 'gzip, br',
			'user-agent': `product-reviews-client/${VERSION}`,
		});
		expect(call?.headers).not.toHaveProperty('authorization');
		expect(VERSION).toBe(packageJson.version);
	});

	test.each<[{ html?: boolean; jsonld?: boolean }, string, string[]]>([
		[{ html: false }, '&ijsonld=true', ['', crawlerPayload('p-1').jsonld]],
		[{ jsonld: false }, '&ihtml=true', [crawlerPayload('p-1').html, '']],
		[{ html: false, jsonld: false }, '', ['', '']],
	])('%j leaves out the flag of the other part', async (options, flags, parts) => {
		setup.server.answer((response, call) => {
			const { html, jsonld, ...rest } = crawlerPayload('p-1');
			const asked = {
				...(options.html === false ? {} : { html }),
				...(options.jsonld === false ? {} : { jsonld }),
			};
			expect(call.url).toBe(`/api/llmRvwHTML?wsid=W-1&pid=p-1${flags}`);
			sendJson(response, { ...rest, ...asked });
		});
		const { html, jsonld } = await setup.client().getCrawlerReviews('p-1', options);
		expect([html, jsonld]).toEqual(parts);
	});

	test('sends the token when it is told to', async () => {
		await setup.client({ authorizeCrawlerReviews: true }).getCrawlerReviews('p-1');
		expect(setup.server.calls[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
	});

	test.each(ODD_PIDS)('reaches the product %j', async (pid) => {
		expect((await setup.client().getCrawlerReviews(pid)).pid).toBe(pid);
		expect(setup.server.calls[0]?.pids).toEqual([pid]);
	});

	test('a lone surrogate is replaced on the wire and kept in the answer', async () => {
		const { pid } = await setup.client().getCrawlerReviews('p-\ud800');
		expect(pid).toBe('p-\ud800');
		expect(setup.server.calls[0]?.pids).toEqual(['p-\ufffd']);
	});

	test('404 means no reviews', async () => {
		setup.server.answer((response) => sendStatus(response, 404));
		const reviews = await setup.client().getCrawlerReviews('p-1');
		expect(reviews).toEqual({ pid: 'p-1', aggregate: { count: 0, average: 0 }, html: '', jsonld: '' });
		expect(setup.events).toMatchObject([{ status: 404 }]);
		expect(setup.events[0]).not.toHaveProperty('error');
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
		setup.server.answer((response) => sendJson(response, { ...crawlerPayload('p-1'), ...spoiled }));
		const error = await errorOf(setup.client().getCrawlerReviews('p-1'));
		expect(error).toBeInstanceOf(ReviewsResponseError);
		expect(error).toMatchObject({
			reason,
			pid: 'p-1',
			status: 200,
			attempts: 1,
			operation: 'crawlerReviews',
		});
		expect(setup.server.calls).toHaveLength(1);
	});

	test('null for a part that was asked for counts as empty, and 42 as the product "42"', async () => {
		setup.server.answer((response) => sendJson(response, { ...crawlerPayload('42'), pid: 42, jsonld: null }));
		expect(await setup.client().getCrawlerReviews('42')).toMatchObject({ pid: '42', jsonld: '' });
	});
});

describe('getProductReviewData', () => {
	test('posts the product with the token', async () => {
		const data = await setup.client().getProductReviewData('p-1');
		expect(data).toMatchObject({ pid: 'p-1', summary: { count: 12 }, questionCount: 4 });
		const [call] = setup.server.calls;
		expect([call?.method, call?.url]).toEqual(['POST', '/api/v1/getProductReviewData']);
		expect(call?.body).toEqual({ productId: 'p-1' });
		expect(call?.headers).toMatchObject({
			authorization: `Bearer ${TOKEN}`,
			'content-type': 'application/json',
		});
	});

	test.each(ODD_PIDS)('reaches the product %j', async (pid) => {
		await setup.client().getProductReviewData(pid);
		expect(setup.server.calls[0]?.pids).toEqual([pid]);
	});

	test('404 means no reviews', async () => {
		setup.server.answer((response) => sendStatus(response, 404));
		expect(await setup.client().getProductReviewData('p-1')).toMatchObject({ pid: 'p-1', reviews: [] });
	});

	test('a review without an id, a product or a rating costs only itself', async () => {
		const data = [null, { rtng: 5 }, { _id: '', pid: 1, rtng: 2 }, { _id: 'r', pid: 'p-1', rtng: null }];
		setup.server.answer((response) => sendJson(response, { data, dataMedia: [null, 'x', { ti: 'Good' }] }));
		const answer = await setup.client().getProductReviewData('p-1');
		expect(answer.reviews.map(({ id }) => id)).toEqual(['']);
		expect(answer.unreadableReviews).toBe(3);
		expect(answer.media).toMatchObject([{ title: 'Good' }]);
	});

	test('success: false and reviews of which none can be read are refused', async () => {
		setup.server.answer((response, _call, count) =>
			sendJson(
				response,
				count === 1 ? { success: false } : { data: [{ rtng: 'x' }, { _id: '', pid: 1, rtng: null }] },
			),
		);
		const client = setup.client();
		expect(await errorOf(client.getProductReviewData('p-1'))).toMatchObject({ reason: 'unsuccessful' });
		const error = await errorOf(client.getProductReviewData('p-1'));
		expect(error).toMatchObject({ reason: 'schema', message: expect.stringContaining('data.0._id') });
	});
});

describe('getStarRatings', () => {
	const ids = (count: number) => Array.from({ length: count }, (_, index) => `p-${index}`);

	test('asks once for each product, in lists, and answers in the order asked', async () => {
		const pids = ids(250);
		const ratings = await setup.client().getStarRatings(new Set([...pids, 'p-1', 'p-2']).values());
		expect([...ratings.keys()]).toEqual(pids);
		expect(ratings.get('p-7')).toMatchObject({ pid: 'p-7', average: 4.5, count: 12, questionCount: 3 });
		const lengths = setup.server.calls.map((call) => call.pids.length).toSorted((a, b) => b - a);
		expect(lengths).toEqual([100, 100, 50]);
		expect(setup.server.calls[0]?.headers.authorization).toBe(`Bearer ${TOKEN}`);
		expect(setup.server.calls[0]?.url).toBe('/api/v1/getStarRating');
	});

	test('duplicates are sent once', async () => {
		await setup.client().getStarRatings(['a', 'b', 'a']);
		expect(setup.server.calls[0]?.body).toEqual({ listProductId: ['a', 'b'] });
	});

	test('an empty list answers without a request, and without a token', async () => {
		expect(await setup.client({ token: undefined }).getStarRatings([])).toEqual(new Map());
		expect(setup.server.calls).toHaveLength(0);
	});

	test('products that were not asked for are ignored, unknown ones are missing', async () => {
		setup.server.answer((response) =>
			sendJson(response, { success: true, data: ['b', 'stranger'].map(starRatingItemOf) }),
		);
		expect([...(await setup.client().getStarRatings(['a', 'b'])).keys()]).toEqual(['b']);
	});

	test('404 answers an empty map', async () => {
		setup.server.answer((response) => sendStatus(response, 404));
		expect(await setup.client().getStarRatings(['a', 'b'])).toEqual(new Map());
	});

	test.each(ODD_PIDS)('reaches the product %j', async (pid) => {
		expect([...(await setup.client().getStarRatings([pid])).keys()]).toEqual([pid]);
	});

	test.each([413, 400])('a %i halves the list and goes on', async (status) => {
		setup.server.answer((response, call, count) => {
			if (call.pids.length > 30) return sendStatus(response, status);
			answerWell(response, call, count);
		});
		const ratings = await setup.client().getStarRatings(ids(100));
		expect([...ratings.keys()]).toEqual(ids(100));
		expect(setup.server.calls.map((call) => call.pids.length)).toEqual([100, 50, 25, 25, 50, 25, 25]);
	});

	test('a list that was too long makes the following ones shorter', async () => {
		setup.server.answer((response, call, count) => {
			if (call.pids.length > 50) return sendStatus(response, 413);
			answerWell(response, call, count);
		});
		await setup.client().getStarRatings(ids(1_000));
		const tooLong = setup.server.calls.filter((call) => call.pids.length > 50);
		expect(tooLong.length).toBeLessThanOrEqual(4);
	});

	test('a single product at fault is named, after few requests', async () => {
		setup.server.answer((response, call, count) => {
			if (call.pids.includes('p-77')) return sendStatus(response, 400);
			answerWell(response, call, count);
		});
		const error = await errorOf(setup.client().getStarRatings(ids(100)));
		expect(error).toBeInstanceOf(ReviewsHttpError);
		expect(error).toMatchObject({ status: 400, pid: 'p-77' });
		expect(setup.server.calls.length).toBeLessThan(20);
	});

	test('when one list fails, nothing goes on afterwards', async () => {
		setup.server.answer((response, call, count) => {
			if (count === 2) return sendStatus(response, 403);
			setTimeout(() => answerWell(response, call, count), 20);
		});
		const error = await errorOf(setup.client().getStarRatings(ids(5_000)));
		expect(error).toMatchObject({ status: 403, message: expect.stringContaining('100 products ("p-') });
		await new Promise((resolve) => setTimeout(resolve, 60));
		expect(setup.server.calls.length).toBeLessThanOrEqual(8);
	});
});

test('operations that need a token say so, before any request', async () => {
	const client = setup.client({ token: undefined });
	for (const call of [client.getStarRatings(['a']), client.getProductReviewData('a')]) {
		const error = await errorOf(call);
		expect(error).toBeInstanceOf(ReviewsConfigurationError);
		expect(error).toMatchObject({ message: expect.stringContaining('Give it as the option token.') });
	}
	expect(setup.server.calls).toHaveLength(0);
});

test.each([[''], [undefined], [7], [null]])('%j is refused as a product id', async (pid) => {
	const client = setup.client();
	const given = pid as string;
	for (const call of [client.getStarRatings([given]), client.getProductReviewData(given)]) {
		expect(await errorOf(call)).toBeInstanceOf(ReviewsConfigurationError);
	}
	expect(await errorOf(client.getCrawlerReviews(given))).toBeInstanceOf(ReviewsConfigurationError);
	expect(setup.server.calls).toHaveLength(0);
});
