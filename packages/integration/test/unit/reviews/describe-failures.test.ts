import { createReviewsClient, ReviewsError } from 'product-reviews-client';
import { expect, test } from 'vitest';
import { describeFailure, refusalOf } from '../../../src/base/failures.js';
import { ReviewPayloadError, ReviewServiceError } from '../../../src/errors.js';
import { optionsOfShipped, providers } from '../../../src/providers/shipped/index.js';
import { createAdvice, describeNoReviews } from '../../../src/reviews/describe-failures.js';

const CREDENTIALS = {
	wsid: 'W-9\u001b[31m',
	origins: {
		wsid: 'the option "wsid" of productReviews()',
		token: 'REVIEWS_TOKEN in the environment or in .env',
	},
};
/** As the service's widget has it. */
const WIDGET = '65f1c0ffee00dead00beef42';
const WEBSITE = 'the website ID "W-9[31m" (the option "wsid" of productReviews())';
const EVERY = `The service refuses every product. Check ${WEBSITE}.`;
const EITHER = `Check ${WEBSITE} and the id of the product.`;
const OTHERS = 'The service responds for other products: check the';
const TOKEN = `The service refuses the token. Check REVIEWS_TOKEN in the environment or in .env, and that the token belongs to ${WEBSITE}.`;

/** Products, and the status with which the service refused each. */
type Refused = Readonly<Record<string, number | undefined>>;

test.each<[string, Refused, 'crawlerReviews' | 'starRating', boolean, string | undefined]>([
	['every product: 400', { a: 400, b: 400 }, 'crawlerReviews', false, EVERY],
	['every product: 404', { a: 404, b: 404 }, 'crawlerReviews', false, EVERY],
	['the only one', { a: 400 }, 'crawlerReviews', false, EITHER],
	['one of several', { a: 400 }, 'crawlerReviews', true, `${OTHERS} id of this one.`],
	['some of several', { a: 400, b: 404 }, 'crawlerReviews', true, `${OTHERS} ids of these.`],
	['one without the token', { a: 401 }, 'crawlerReviews', true, `${OTHERS} id of this one.`],
	['the token: 401', { a: 401 }, 'starRating', true, TOKEN],
	['the token: 403', { a: 403, b: undefined }, 'starRating', true, TOKEN],
	['nothing', {}, 'crawlerReviews', false, undefined],
	['nothing, and fails', { a: undefined }, 'crawlerReviews', false, undefined],
])('a refusal of %s comes with what to check', (_what, refused, operation, hasAnswered, advice) => {
	const failures = Object.entries(refused).map(([pid, status]) => ({
		pid,
		error: status ? new ReviewServiceError('', '', { refusal: { status, operation } }) : new Error('503'),
	}));
	const context = { credentials: () => CREDENTIALS, hasAnswered: () => hasAnswered };
	expect(createAdvice({ ...context, sendTokenForReviews: false })(failures)).toBe(advice);
	// Where the token is sent for reviews as well, it may be that.
	const isAboutToken = Object.values(refused).some((status) => status === 401 || status === 403);
	const sent = createAdvice({ ...context, sendTokenForReviews: true });
	expect(sent(failures)).toBe(isAboutToken ? TOKEN : advice);
});

test('a provider of this package that fails is configured by its options; one of the merchant has no advice', () => {
	const advise = (shipped?: string) =>
		createAdvice({
			...{ credentials: () => undefined, hasAnswered: () => false, sendTokenForReviews: false },
			shipped,
		})([
			{
				pid: 'p-1',
				error: new ReviewsError('PR_PROVIDER_FAILED', 'reviews() of the provider: fetch failed'),
			},
		]);
	const url = { url: 'https://shop.example' };
	expect(advise(optionsOfShipped(providers.wooCommerce(url)))).toBe(
		'Check the option "url" of providers.wooCommerce(), and the network.',
	);
	expect(optionsOfShipped(providers.medusa({ ...url, publishableKey: 'pk' }))).toBe(
		'the options "url" and "publishableKey" of providers.medusa()',
	);
	expect(optionsOfShipped({ entrypoint: './reviews.mjs' })).toBeUndefined();
	expect(advise()).toBeUndefined();
});

test.each([400, 401, 403, 410, 500])('the answer %i is a refusal, if it is 400 to 403', async (status) => {
	const fetch = async () => new Response('{}', { status });
	const service = { baseUrl: 'https://reviews.example', wsid: 'W-9' };
	const client = createReviewsClient({ ...service, retries: 0, fetch });
	const error = await client.getCrawlerReviews('p-1').catch((error: unknown) => error);
	expect(refusalOf(error)).toEqual(status <= 403 ? { status, operation: 'crawlerReviews' } : undefined);
});

test('a service that knows nothing of any product may have been asked for another store', () => {
	const describe = (missing: number, pids = ['p-1', WIDGET], credentials = CREDENTIALS) => {
		const all = Array.from({ length: 20 }, (_, index) => pids[index % pids.length] ?? '');
		let left = missing;
		return describeNoReviews(all, () => left-- > 0, credentials);
	};
	const SYNCED =
		'Check that the products are synced to the service: until they are, it counts their reviews as reviews of the business.';
	const SPACE = 'The website ID contains a space.';
	const IDS = `"${WIDGET}" looks like the id of a widget ("data-id"), not of a product ("data-pid").`;
	const none = `The service has no reviews of any of the 20 products. Unless the store is new, check`;
	expect(describe(20)).toBe(`${none} ${WEBSITE} and the product IDs. ${SYNCED} [PR_NO_REVIEWS]`);
	expect(describe(20, ['p-1', WIDGET, WIDGET])).toContain(`${SYNCED} ${IDS} [`);
	expect(describe(20, ['p-1'], { ...CREDENTIALS, wsid: 'two words' })).toContain(`${SYNCED} ${SPACE} [`);
	expect(describe(20, ['p-1'], { ...CREDENTIALS, wsid: 'k2j4h5k2j3h4k5' })).toContain(`${SYNCED} [`);
	expect(describeNoReviews(Array(20).fill(WIDGET), () => true, undefined)).toBe(
		`The provider has no reviews of any of the 20 products. Unless the store is new, check the provider and the product IDs. [PR_NO_REVIEWS]`,
	);
	expect(describe(19)).toBeUndefined();
	expect(describeNoReviews(['p-1'], () => true, CREDENTIALS)).toBeUndefined();
});

test.each<[string, unknown, string]>([
	['an error', new Error('503 after 5 tries.'), '503 after 5 tries.'],
	['an answer that cannot be read', new ReviewPayloadError('The html is odd.', 'Look.'), 'The html is odd.'],
	['control characters and line breaks', new Error('a\u001b[31m\nb\r\n c'), 'a[31m b c'],
	['an error without a message', new TypeError(''), 'TypeError'],
	['text', 'gone', 'gone'],
	['nothing', undefined, 'undefined'],
	['an empty text', '', 'unknown error'],
	['something long', new Error('x'.repeat(900)), `${'x'.repeat(299)}…`],
])('%s', (_what, error, expected) => {
	expect(describeFailure(error)).toBe(expected);
});
