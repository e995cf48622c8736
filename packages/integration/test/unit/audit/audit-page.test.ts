import { describe, expect, test } from 'vitest';
import { auditPage, type Finding } from '../../../src/audit/audit.js';
import type {
	ListFacts,
	OffersFacts,
	OwnMarkupFacts,
	ProductFacts,
	SchemaFacts,
	StarsFacts,
} from '../../../src/render/facts.js';

const schema = (parts: Partial<SchemaFacts & { pid: string }> = {}): ProductFacts => ({
	component: 'ReviewSchema',
	pid: 'a',
	id: 'https://shop.example/a',
	count: 2,
	listed: 2,
	sort: 'as-sent',
	...parts,
});
const reviews = (parts: Partial<ListFacts & { pid: string }> = {}): ProductFacts => ({
	component: 'ProductReviews',
	pid: 'a',
	display: 'visible',
	count: 2,
	shown: 2,
	isAll: true,
	sort: 'as-sent',
	...parts,
});
const stars = (parts: Partial<StarsFacts & { pid: string }> = {}): ProductFacts => ({
	component: 'StarRating',
	pid: 'a',
	count: 2,
	...parts,
});
const ownMarkup = (parts: Partial<OwnMarkupFacts & { pid: string }> = {}): ProductFacts => ({
	component: 'own-markup',
	pid: 'a',
	...parts,
});
const offers = (lacks: OffersFacts['lacks'], pid = 'a'): ProductFacts => ({
	component: 'offers',
	pid,
	lacks,
});
const split = reviews({ component: 'ReviewList', shown: 0, isAll: false, isSplitByRating: true });
const hidden = reviews({ display: 'hidden' });

describe('nothing is wrong with', () => {
	test.each<[string, ProductFacts[]]>([
		['a page without reviews', []],
		['reviews, stars and JSON-LD of one product', [stars(), reviews(), schema()]],
		['hidden reviews beside stars, marked up nowhere', [stars(), hidden]],
		['reviews behind a summary', [reviews({ display: 'details' }), schema()]],
		['reviews hidden once and visible once', [hidden, reviews()]],
		['reviews without a rating', [reviews({ count: undefined })]],
		['more reviews shown than listed', [reviews({ shown: 9, count: 9 }), schema({ count: 9 })]],
		['a listing with stars of many products', [stars(), stars({ pid: 'b' }), stars({ pid: 'c' })]],
		['a product page with stars of others', [reviews(), schema(), stars({ pid: 'b', count: 7 })]],
		['JSON-LD beside own markup', [ownMarkup(), schema()]],
		['hidden reviews beside own markup', [hidden, ownMarkup(), schema()]],
		['more reviews listed than the service has in its html', [reviews({ shown: 1, isAll: true }), schema()]],
		['the same limit and order', [reviews({ isAll: false, sort: 'newest' }), schema({ sort: 'newest' })]],
		['JSON-LD beside <ReviewList>', [reviews({ component: 'ReviewList' }), schema()]],
		[
			'hidden reviews beside <RatingSummary>, marked up nowhere',
			[stars({ component: 'RatingSummary' }), hidden],
		],
		['a split by rating without an average', [split]],
		['a split by rating beside the average of another product', [split, stars({ pid: 'b' })]],
		['a split by rating beside all reviews', [split, reviews(), stars(), schema()]],
		['a split by rating beside own markup', [split, ownMarkup(), stars()]],
		['hidden reviews that <ReviewList> shows', [hidden, reviews({ component: 'ReviewList' }), schema()]],
		['JSON-LD without an address', [reviews(), schema({ id: undefined })]],
	])('%s', (_what, placements) => {
		expect(auditPage(placements)).toEqual([]);
	});
});

describe('a page is reported for', () => {
	test.each<[string, ProductFacts[], Finding[]]>([
		['JSON-LD without its reviews', [stars(), schema()], [{ rule: 'schema-without-reviews', pids: ['a'] }]],
		[
			'JSON-LD with the reviews of another product',
			[reviews({ pid: 'b' }), schema()],
			[{ rule: 'schema-without-reviews', pids: ['a'] }],
		],
		[
			'own markup of another product',
			[ownMarkup({ pid: 'b' }), schema()],
			[{ rule: 'schema-without-reviews', pids: ['a'] }],
		],
		[
			'more reviews listed than shown',
			[reviews({ shown: 1, isAll: false }), schema()],
			[{ rule: 'schema-lists-more', pids: ['a'] }],
		],
		[
			'the same number of reviews in another order',
			[reviews({ isAll: false, sort: 'lowest' }), schema({ sort: 'highest' })],
			[{ rule: 'schema-lists-more', pids: ['a'] }],
		],
		[
			'different counts',
			[reviews(), schema(), stars({ count: 3 })],
			[{ rule: 'counts-differ', pids: ['a'] }],
		],
		[
			'more reviews listed than counted',
			[reviews({ count: 1 }), schema({ count: 1 })],
			[{ rule: 'counts-differ', pids: ['a'] }],
		],
		[
			'more reviews listed than <ReviewList> shows of its filter',
			[reviews({ component: 'ReviewList', shown: 0, isAll: false }), schema()],
			[{ rule: 'schema-lists-more', pids: ['a'] }],
		],
		['the same JSON-LD twice', [reviews(), schema(), schema()], [{ rule: 'schema-twice', pids: ['a'] }]],
		[
			'two ids of one product',
			[reviews(), schema(), schema({ id: 'other' })],
			[
				{ rule: 'schema-twice', pids: ['a'] },
				{ rule: 'different-ids', pids: ['a'] },
			],
		],
		[
			'JSON-LD of two products',
			[reviews(), schema(), reviews({ pid: 'b' }), schema({ pid: 'b', id: 'other' })],
			[{ rule: 'several-products', pids: ['a', 'b'] }],
		],
		['reviews that are hidden only', [hidden, schema()], [{ rule: 'hidden-only', pids: ['a'] }]],
		['hidden reviews on their own', [hidden], [{ rule: 'hidden-only', pids: ['a'] }]],
		[
			'marked-up reviews beside stars alone',
			[stars(), hidden, schema()],
			[{ rule: 'hidden-only', pids: ['a'] }],
		],
		[
			'marked-up reviews beside <RatingSummary> alone',
			[stars({ component: 'RatingSummary' }), hidden, schema()],
			[{ rule: 'hidden-only', pids: ['a'] }],
		],
		...[stars(), stars({ component: 'RatingSummary' }), schema({ listed: 0 })].map(
			(average): [string, ProductFacts[], Finding[]] => [
				`a split by rating beside the average of <${average.component}>`,
				[split, average],
				[{ rule: 'low-ratings-hidden', pids: ['a'] }],
			],
		),
		[
			'a split by rating beside a hidden block of all reviews',
			[split, hidden, stars()],
			[{ rule: 'low-ratings-hidden', pids: ['a'] }],
		],
		['an offer without a price', [offers(['price'])], [{ rule: 'offer-without-price', pids: ['a'] }]],
		[
			'an offer without anything',
			[reviews(), schema(), offers(['price', 'priceCurrency'])],
			[
				{ rule: 'offer-without-price', pids: ['a'] },
				{ rule: 'offer-without-currency', pids: ['a'] },
			],
		],
		[
			'hidden reviews beside stars of another product',
			[hidden, stars({ pid: 'b' })],
			[{ rule: 'hidden-only', pids: ['a'] }],
		],
		[
			'each product by itself',
			[hidden, reviews({ pid: 'b', display: 'hidden' })],
			[{ rule: 'hidden-only', pids: ['a', 'b'] }],
		],
	])('%s', (_what, placements, findings) => {
		expect(auditPage(placements)).toEqual(findings);
	});
});

test('a listing of 5,000 stars takes no time', () => {
	const placements = Array.from({ length: 5_000 }, (_, index) => stars({ pid: `p-${index}` }));
	const started = performance.now();
	expect(auditPage(placements)).toEqual([]);
	expect(performance.now() - started).toBeLessThan(1_000);
});
