import { NOW } from 'product-reviews-test-support/clock';
import { describe, expect, test } from 'vitest';
import type { DevAnswer } from '../../../src/build/dev-answers.js';
import type { DevPage } from '../../../src/build/dev-pages.js';
import { findMissing } from '../../../src/options/missing-values.js';
import { describePage, type KnownPage } from '../../../src/toolbar/describe-page.js';

const MINUTE = 60_000;
const MARKUP = { scripts: [], microdata: [], isNoindex: false };

const request = (component: string) => ({ component, props: {} });
const asked = (pid: string, component?: string, from: DevPage['asked'][number]['from'] = 'reviews') => ({
	pid,
	from,
	version: undefined,
	...(component && { request: request(component) }),
});
const answer = (parts: Partial<DevAnswer> = {}): DevAnswer => ({
	fetchedAt: NOW - 3 * MINUTE,
	rating: { average: 4.456, count: 1_200 },
	failure: undefined,
	dropped: {},
	...parts,
});

function describeOne(parts: Partial<DevAnswer>, page: Partial<DevPage> = {}, known: Partial<KnownPage> = {}) {
	return describePage({
		page: { startedAt: NOW - MINUTE, facts: [], asked: [asked('p-1', 'ProductReviews')], ...page },
		answerOf: () => answer(parts),
		markup: MARKUP,
		missing: [],
		now: NOW,
		...known,
	});
}

describe('where an answer came from', () => {
	const failure = { reason: '503 Service Unavailable', isStoredShown: true };
	test.each<[string, Partial<DevAnswer>, Record<string, unknown>]>([
		['for this page', { fetchedAt: NOW - MINUTE }, { state: 'service', source: 'service, just now' }],
		['stored before', {}, { state: 'fresh', source: 'store, fresh', age: '3 min ago', reason: undefined }],
		[
			'stored, and the service failed',
			{ failure },
			{ state: 'stale', source: 'store, stale', age: '3 min ago', reason: '503 Service Unavailable' },
		],
		[
			'nowhere: the service failed',
			{ fetchedAt: undefined, failure: { ...failure, isStoredShown: false } },
			{ state: 'failed', source: 'failed', age: undefined, reason: '503 Service Unavailable' },
		],
		[
			'nowhere: what is stored is too old to be shown',
			{ failure: { ...failure, isStoredShown: false } },
			{ state: 'failed', age: undefined },
		],
		['nowhere: nobody asked', { fetchedAt: undefined }, { state: 'none', source: 'not requested' }],
	])('%s', (_where, given, expected) => {
		expect(describeOne(given).products[0]?.answers).toMatchObject([{ what: 'Reviews', ...expected }]);
	});
});

test('dropped parts are named, or it is said that they are not known', () => {
	const rows = (dropped: DevAnswer['dropped']) => describeOne({ dropped }).products[0]?.answers[0];
	expect(rows({ 'text-cut': 2, 'date-unreadable': 1 })).toMatchObject({
		dropped: ['text cut at its limit (2)', 'date that does not exist (1)'],
		isDroppedKnown: true,
	});
	expect(rows({})).toMatchObject({ dropped: [], isDroppedKnown: true });
	expect(rows(undefined)).toMatchObject({ dropped: [], isDroppedKnown: false });
});

test('a row for each product, in the order of the page, with what shows it', () => {
	const { products } = describeOne(
		{},
		{
			asked: [
				asked('p-2', 'StarRating', 'rating'),
				asked('p-1', 'StarRating'),
				asked('p-1', 'ProductReviews'),
				asked('p-1', 'StarRating'),
				asked('p-1', undefined, 'review-data'),
			],
			facts: [
				{ component: 'own-markup', pid: 'p-1' },
				{ component: 'StarRating', pid: 'p-1', count: 2 },
			],
		},
	);
	expect(products).toMatchObject([
		{ pid: 'p-2', name: '"p-2"', uses: ['<StarRating>'], answers: [{ what: 'Rating in lists' }] },
		{
			pid: 'p-1',
			rating: '4.46 of 5, 1,200 ratings',
			uses: ['<StarRating> × 2', '<ProductReviews>', 'own markup'],
			answers: [{ what: 'Reviews' }, { what: 'Review data' }],
		},
	]);
});

test('a product without ratings has none', () => {
	expect(describeOne({ rating: undefined }).products).toMatchObject([{ rating: 'No ratings' }]);
	const nothing = { rating: undefined, fetchedAt: undefined };
	expect(describeOne(nothing).products).toMatchObject([{ rating: 'Rating not known' }]);
});

test('an id that would break the line is printable, and kept as it is for requests', () => {
	const pid = '\u202e<b>\n';
	const [product] = describeOne({}, { asked: [asked(pid, 'StarRating')] }).products;
	expect(product).toMatchObject({ pid, name: expect.not.stringMatching(/[\u202e\n]/) });
});

test('what is not set says where to set it', () => {
	const missing = findMissing({ baseUrl: ' ', token: 'canary-token' }, { REVIEWS_WSID: '' });
	const { setup, alarm } = describeOne({}, {}, { page: undefined, missing });
	expect(setup).toEqual([
		{
			option: 'baseUrl',
			text: 'The address of the review service. Set the option "baseUrl" of productReviews(), or REVIEWS_BASE_URL in the environment or in .env. Pages show no reviews, and builds fail.',
			isRequired: true,
		},
		expect.objectContaining({ text: expect.stringContaining('REVIEWS_WSID'), isRequired: true }),
		expect.objectContaining({ text: expect.stringContaining('"products"'), isRequired: false }),
	]);
	expect(alarm).toBe('error');
	expect(JSON.stringify(setup)).not.toContain('canary');
});

test('the alarm is for failures and broken rules', () => {
	expect(describeOne({}).alarm).toBeUndefined();
	expect(describeOne({ failure: { reason: 'x', isStoredShown: true } }).alarm).toBe('warning');
	const withScript = (script: string) => describeOne({}, {}, { markup: { ...MARKUP, scripts: [script] } });
	expect(withScript('{').alarm).toBe('warning');
	// Only a recommendation is not followed.
	expect(withScript('{"@type":"Product","name":"Kettle","offers":{"price":1}}').alarm).toBe('info');
});

test('a rule is a demand while it is kept, and says what is wrong and what to do when it is broken', () => {
	const list = {
		component: 'ProductReviews',
		pid: 'p-1',
		count: 1,
		shown: 1,
		isAll: true,
		sort: 'as-sent',
	} as const;
	const ruleOf = (display: 'visible' | 'hidden') =>
		describeOne({}, { facts: [{ ...list, display }] }).rules.find(({ text }) => /can see/.test(text));
	expect(ruleOf('visible')).toEqual({
		state: 'kept',
		text: 'Visitors can see the reviews that are in the source of the page.',
		remedy: undefined,
		broken: [],
		isRecommended: false,
		weight: 'Builds check this, too.',
	});
	expect(ruleOf('hidden')).toMatchObject({
		state: 'broken',
		text: 'Reviews are in the source of the page, but nobody can see them.',
		remedy: expect.stringContaining('display="visible"'),
		broken: ['p-1'],
	});
});
