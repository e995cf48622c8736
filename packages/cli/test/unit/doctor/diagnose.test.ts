import { describe, expect, test } from 'vitest';
import { diagnose } from '../../../src/doctor/diagnose.js';
import type { Asked, Facts } from '../../../src/doctor/facts.js';
import {
	answered,
	HOUR,
	LIST,
	NOW,
	REPORT,
	SERVICE,
	STORE,
	setting,
	soundFacts,
} from '../../support/facts.js';

/** `group/check: state code` of every finding that is not fine. */
const troubles = (facts: Facts) =>
	diagnose(facts)
		.findings.filter(({ state }) => state !== 'ok')
		.map(({ group, check, state, code }) => [`${group}/${check}:`, state, code].filter(Boolean).join(' '));

const failed = (code: string, status?: number): Asked =>
	({ state: 'failed', status, trouble: { code, reason: 'It failed.' } }) as Asked;

test('a sound project has neither problems nor warnings', () => {
	expect(diagnose(soundFacts())).toMatchObject({ verdict: 'ok', problems: 0, warnings: 0, next: [] });
});

test('everything that is wrong has a next step', () => {
	const facts = soundFacts({ webhook: {}, display: 'hidden' });
	const found = diagnose({ ...facts, list: { state: 'none' }, build: { ...facts.build, report: undefined } });
	const wrong = found.findings.filter(({ state }) => state !== 'ok');
	expect(wrong.length).toBeGreaterThan(3);
	expect(wrong.filter(({ next }) => !next)).toEqual([]);
	expect(found.next).toHaveLength(new Set(wrong.map(({ next }) => next)).size);
});

test('problems come before warnings in the next steps', () => {
	const facts = soundFacts({ display: 'hidden', webhook: {} });
	const { next } = diagnose(facts);
	expect(next[0]).toContain('Set REVIEWS_WEBHOOKSECRET');
	expect(next.at(-1)).toContain('Set "display"');
});

const sound = soundFacts();
const ask = (operations: Partial<NonNullable<Facts['service']>['operations']>) => ({
	service: { ...SERVICE, operations: { ...SERVICE.operations, ...operations } },
});
const settings = (...others: ReturnType<typeof setting>[]) => ({
	settings: sound.settings.map((one) => others.find(({ id }) => id === one.id) ?? one),
});
const product = (more: Partial<Facts['product']>) => ({ product: { ...sound.product, ...more } });
const stored = (more: Partial<NonNullable<Facts['product']['stored']>>) =>
	product({ stored: { ...(sound.product.stored as NonNullable<Facts['product']['stored']>), ...more } });
const store = (more: Partial<typeof STORE>) => ({ store: { ...STORE, ...more } });
const build = (more: Partial<Facts['build']>) => ({ build: { ...sound.build, ...more } });

describe('no reviews at all', () => {
	test.each<[string, Partial<Facts>, string[]]>([
		[
			'the configuration throws',
			{ site: undefined, service: undefined, siteTrouble: { code: 'PR_INVALID_OPTIONS', reason: 'Bad.' } },
			['Project/Astro config: problem PR_INVALID_OPTIONS'],
		],
		[
			'nothing is set',
			{ service: undefined, ...settings(setting('baseUrl', undefined), setting('wsid', undefined)) },
			[
				'Configuration/Service: problem PR_NOT_CONFIGURED',
				'Configuration/Website id: problem PR_NOT_CONFIGURED',
			],
		],
		[
			'an empty variable hides .env',
			settings(setting('wsid', undefined, { origin: 'the environment', hides: '.env' })),
			['Configuration/Website id: problem PR_NOT_CONFIGURED'],
		],
		[
			'the product list is empty',
			{ list: { state: 'failed', trouble: { code: 'PR_PRODUCT_LIST_EMPTY', reason: 'Empty.' } } },
			['Configuration/Product list: problem PR_PRODUCT_LIST_EMPTY'],
		],
		[
			'the service is unreachable',
			ask({ crawlerReviews: failed('PR_SERVICE_UNREACHABLE') }),
			['Service/Reachable: problem PR_SERVICE_UNREACHABLE'],
		],
		[
			'the token is refused',
			ask({ starRating: failed('PR_REQUEST_REFUSED', 401) }),
			['Service/Token: problem PR_REQUEST_REFUSED'],
		],
		[
			'the website id is wrong, and there is a token',
			{ ...ask({ crawlerReviews: answered(0) }), ...product({ stored: undefined }) },
			[
				'Service/Website id: problem PR_NO_REVIEWS',
				'Product/Reviews: warning',
				'Product/Stored: warning PR_NOT_STORED',
			],
		],
		[
			'the website id is wrong, and the last build found nothing',
			{
				...ask({ crawlerReviews: answered(0), starRating: answered(0), productReviewData: answered(0) }),
				...stored({ count: 0, average: 0 }),
				...build({ report: { ...REPORT, totals: { ...REPORT.totals, fetched: 0, missing: 60 } } }),
			},
			['Service/Website id: problem PR_NO_REVIEWS', 'Product/Reviews: warning'],
		],
		[
			'no component is placed',
			{
				...build({ report: { ...REPORT, pages: { withReviews: 0 }, showsProducts: false } }),
				...product({ reported: { status: 'fetched', reason: undefined, pages: 0 } }),
			},
			['Product/On pages: problem', 'Last build/Pages: problem'],
		],
	])('%s', (_, change, expected) => {
		expect(troubles({ ...sound, ...change })).toEqual(expected);
	});
});

describe('one product without reviews', () => {
	const given = { isGiven: true, pid: 'p-17' };

	test.each<[string, Partial<Facts>, string[]]>([
		[
			'it is not in the list',
			{ list: { ...LIST, read: 60, hasProduct: false }, ...product(given) },
			['Product/In the list: problem'],
		],
		[
			'the list is too long to know',
			{ list: { ...LIST, length: undefined, read: 9_000, hasProduct: undefined }, ...product(given) },
			[],
		],
		[
			'the service has none',
			{
				...ask({ crawlerReviews: answered(0), starRating: answered(0), productReviewData: answered(0) }),
				...stored({ count: 0, average: 0 }),
			},
			['Product/Reviews: warning'],
		],
		[
			'it failed, and nothing is stored',
			product({ stored: undefined, reported: { status: 'failed', reason: '500', pages: 0 } }),
			['Product/Last build: problem PR_REVIEWS_UNAVAILABLE'],
		],
		[
			'it failed, and old reviews are shown',
			product({ reported: { status: 'stale', reason: '500', pages: 1 } }),
			['Product/Stored: warning PR_SERVICE_FAILED'],
		],
		['its row is damaged', stored({ isWhole: false }), ['Product/Stored: problem PR_STORE_UNUSABLE']],
		[
			'parts of it are dropped',
			{ service: { ...SERVICE, dropped: { 'rating-unusable': 2 } } },
			['Product/Dropped parts: warning PR_UNREADABLE_ANSWER'],
		],
	])('%s', (_, change, expected) => {
		expect(troubles({ ...sound, ...change })).toEqual(expected);
	});

	test('options hide it', () => {
		const facts = soundFacts({ display: 'hidden', publishers: ['Fjell'] });
		const service = { ...SERVICE, publishers: ['Elsewhere', 'FJELL ', undefined] };
		expect(troubles({ ...facts, service })).toEqual([
			'Product/Publishers: warning',
			'Product/Display: warning',
		]);
	});
});

describe('reviews that do not renew', () => {
	test.each<[string, Partial<Facts>, string[]]>([
		['the service has more', ask({ crawlerReviews: answered(3) }), ['New reviews/Outdated: warning']],
		[
			'the service has failed since a build',
			store({ stale: 3, oldest: NOW - 3 * HOUR }),
			['New reviews/Stale: warning PR_SERVICE_FAILED'],
		],
		[
			'the service has failed for days',
			store({ stale: 3, oldest: NOW - 72 * HOUR }),
			['New reviews/Stale: problem PR_SERVICE_FAILED'],
		],
		[
			'marks wait',
			store({ marks: { products: 2, areAll: false, oldest: NOW - 5 * HOUR } }),
			['New reviews/Waiting: warning'],
		],
		['the store is newer', store({ newest: NOW - 60_000 }), ['New reviews/Output: warning']],
		['the output is older', build({ newestFile: NOW - 30 * HOUR }), ['New reviews/Output: warning']],
		[
			'pages are gone or altered',
			build({ pages: { checked: 61, gone: 1, altered: 2 } }),
			['Last build/Output: warning'],
		],
		[
			'the last build did not finish',
			build({ report: undefined }),
			['Last build/Report: warning PR_NO_REPORT'],
		],
		[
			'a receiver is stuck',
			{ receiver: { waiting: { products: 2, oldest: NOW - 5 * HOUR }, trouble: undefined } },
			['New reviews/Receiver: problem PR_REBUILD_FAILED'],
		],
		[
			'the secret is cut',
			settings(setting('webhookSecret', 'set (9 characters)', { length: 9 })),
			['New reviews/Webhook: problem PR_WEBHOOK_SECRET'],
		],
		['the clock is wrong', { service: { ...SERVICE, skew: -900_000 } }, ['Service/Clock: warning']],
	])('%s', (_, change, expected) => {
		const found = troubles({ ...sound, ...change });
		expect(found).toEqual(expected);
	});

	test('the webhook has no secret', () => {
		expect(troubles(soundFacts({ webhook: {} }))).toEqual(['New reviews/Webhook: problem PR_WEBHOOK_SECRET']);
	});

	test('says when stored reviews are asked for again', () => {
		const textOf = (options: Record<string, unknown>) =>
			diagnose(soundFacts(options)).findings.find(({ check }) => check === 'Each build')?.text;
		expect(textOf({})).toBe('fetches products whose ratings changed, and those older than 7 d');
		expect(textOf({ revalidate: 'age', maxAge: '2h' })).toBe('fetches products older than 2 h (maxAge)');
		expect(textOf({ revalidate: 'always' })).toBe('fetches all products');
	});
});

test('an option that needs a token is named', () => {
	const facts = soundFacts({ revalidate: 'ratings' });
	const without = { ...facts, ...settings(setting('token', undefined)) };
	expect(troubles(without)).toContain('Configuration/Token: problem PR_MISSING_TOKEN');
	expect(troubles({ ...sound, ...settings(setting('token', undefined)) })).toEqual([]);
});

test('an older Astro reuses fewer pages', () => {
	const site = { ...(sound.site as NonNullable<Facts['site']>), isIncremental: true };
	const with72 = { ...sound, site, versions: { node: '24.0.0', astro: '7.2.9' } };
	expect(troubles(with72)).toEqual(['Project/Incremental: warning']);
	expect(troubles({ ...sound, site })).toEqual([]);
});
