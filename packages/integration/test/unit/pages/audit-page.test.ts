import { describe, expect, test, vi } from 'vitest';
import { Audit, auditPage, describeFindings, type Finding } from '../../../src/pages/audit.js';
import type {
	ListFacts,
	OfferPart,
	ProductFacts,
	SchemaFacts,
	StarsFacts,
} from '../../../src/render/fragment.js';

type Of<Facts> = Partial<Facts & { pid: string }>;
type Rule = Finding['rule'];

const ID = 'https://shop.example/a';
const order = { count: 2, sort: 'as-sent' };
const schema = (parts: Of<SchemaFacts> = {}): ProductFacts => ({
	...{ component: 'ReviewSchema', pid: 'a', id: ID, listed: 2, ...order },
	...parts,
});
const reviews = (parts: Of<ListFacts> = {}): ProductFacts => ({
	...{ component: 'ProductReviews', pid: 'a', display: 'visible', shown: 2, isAll: true, ...order },
	...parts,
});
const stars = (parts: Of<StarsFacts> = {}): ProductFacts => ({
	...{ component: 'StarRating', pid: 'a', count: 2 },
	...parts,
});
const offers = (...lacks: OfferPart[]): ProductFacts => ({ component: 'offers', pid: 'a', lacks });
const ownMarkup = (pid = 'a'): ProductFacts => ({ component: 'own-markup', pid });

const hidden = reviews({ display: 'hidden' });
const summary = stars({ component: 'RatingSummary' });
const list = (parts: Of<ListFacts> = {}) => reviews({ component: 'ReviewList', ...parts });
const PRODUCT = [reviews(), schema()];
const OTHER = schema({ pid: 'b', id: 'other' });
const split = list({ shown: 0, isAll: false, isSplitByRating: true });

test.each<[string, ProductFacts[]]>([
	['a page without reviews', []],
	['reviews, stars and JSON-LD of one product', [stars(), reviews(), schema()]],
	['hidden reviews beside stars, marked up nowhere', [stars(), hidden]],
	['hidden reviews beside <RatingSummary>, marked up nowhere', [summary, hidden]],
	['hidden reviews beside own markup', [hidden, ownMarkup(), schema()]],
	['hidden reviews that <ReviewList> shows', [hidden, list(), schema()]],
	['reviews behind a summary', [reviews({ display: 'details' }), schema()]],
	['reviews hidden once and visible once', [hidden, reviews()]],
	['more reviews shown than listed', [reviews({ shown: 9, count: 9 }), schema({ count: 9 })]],
	['more reviews listed than the service has in its html', [reviews({ shown: 1 }), schema()]],
	['the same limit and order', [reviews({ isAll: false, sort: 'newest' }), schema({ sort: 'newest' })]],
	['a product page with stars of others', [reviews(), schema(), stars({ pid: 'b', count: 7 })]],
	['JSON-LD beside own markup', [ownMarkup(), schema()]],
	['a stated rating without reviews, shown by stars', [stars(), schema({ listed: 0 })]],
	['JSON-LD without an address', [reviews(), schema({ id: undefined })]],
	['a split by rating without an average', [split]],
	['a split by rating beside the average of another product', [split, stars({ pid: 'b' })]],
	['a split by rating beside all reviews', [split, reviews(), stars(), schema()]],
	['a split by rating beside own markup', [split, ownMarkup(), stars()]],
])('nothing is wrong with %s', (_what, placements) => {
	expect(auditPage(placements)).toEqual([]);
});

test.each<[string, ProductFacts[], Rule[], pids?: string[]]>([
	['JSON-LD without its reviews', [stars(), schema()], ['schema-without-reviews']],
	['a stated rating that nothing shows', [schema({ listed: 0 })], ['schema-without-reviews']],
	['JSON-LD beside reviews of another', [reviews({ pid: 'b' }), schema()], ['schema-without-reviews']],
	['JSON-LD beside own markup of another', [ownMarkup('b'), schema()], ['schema-without-reviews']],
	['more listed than shown', [reviews({ shown: 1, isAll: false }), schema()], ['schema-lists-more']],
	['more listed than a filter shows', [list({ shown: 0, isAll: false }), schema()], ['schema-lists-more']],
	['others listed', [reviews({ isAll: false }), schema({ sort: 'lowest' })], ['schema-lists-more']],
	['different counts', [reviews(), schema(), stars({ count: 3 })], ['counts-differ']],
	['more listed than counted', [reviews({ count: 1 }), schema({ count: 1 })], ['counts-differ']],
	['the same JSON-LD twice', [reviews(), schema(), schema()], ['schema-twice']],
	['two ids', [reviews(), schema(), schema({ id: 'other' })], ['schema-twice', 'different-ids']],
	['JSON-LD of two', [...PRODUCT, reviews({ pid: 'b' }), OTHER], ['several-products'], ['a', 'b']],
	['reviews that are hidden only', [hidden, schema()], ['hidden-only']],
	['hidden reviews on their own', [hidden], ['hidden-only']],
	['marked-up reviews beside stars alone', [stars(), hidden, schema()], ['hidden-only']],
	['hidden reviews beside stars of another product', [hidden, stars({ pid: 'b' })], ['hidden-only']],
	['each by itself', [hidden, reviews({ pid: 'b', display: 'hidden' })], ['hidden-only'], ['a', 'b']],
	['a split by rating beside stars', [split, stars()], ['low-ratings-hidden']],
	['a split by rating beside a stated average', [split, schema({ listed: 0 })], ['low-ratings-hidden']],
	['a split by rating beside a hidden block', [split, hidden, stars()], ['low-ratings-hidden']],
	['an offer without a price', [offers('price')], ['offer-without-price']],
	['an offer without currency', [...PRODUCT, offers('priceCurrency')], ['offer-without-currency']],
])('a page is reported for %s', (_what, placements, rules, pids = ['a']) => {
	expect(auditPage(placements)).toEqual(rules.map((rule) => ({ rule, pids })));
});

test('a listing of 5,000 stars is looked through a few times, not once for each of them', () => {
	const look = vi.fn((index: number) => `p-${index}`);
	const placements = Array.from({ length: 5_000 }, (_, index) =>
		Object.defineProperty(stars(), 'pid', { get: () => look(index) }),
	);
	expect(auditPage(placements)).toEqual([]);
	expect(look.mock.calls.length).toBeLessThan(20 * placements.length);
});

describe('of a whole build', () => {
	test('every page is counted, each finding names its page, and own markup may show what others asked for', () => {
		const audit = new Audit();
		audit.add('/', []);
		audit.add('/kettle/', [schema()]);
		const findings = [{ rule: 'schema-without-reviews', page: '/kettle/', pids: ['a'] }];
		expect([audit.pages, audit.findings]).toEqual([2, findings]);
		audit.addOwnMarkup('a');
		audit.add('/pan/', [schema()]);
		expect(audit.findings).toEqual(findings);
		// A page of which more is known is audited again.
		audit.add('/kettle/', [schema()]);
		expect([audit.pages, audit.findings]).toEqual([3, []]);
	});

	test('a line for each rule says what is wrong, where, and what to do', () => {
		const pages = Array.from({ length: 1_200 }, (_, index) => `/p-${index + 1}/`);
		const evil = { rule: 'schema-twice', page: '/\u202eevil\u0007/', pids: ['x'] } as const;
		expect(
			describeFindings([...pages.map((page) => ({ rule: 'hidden-only' as const, page, pids: ['p'] })), evil]),
		).toEqual([
			'1,200 pages: reviews are in the source of the page, but nobody can see them: "/p-1/", "/p-2/", "/p-3/", "/p-4/", "/p-5/" and 1,195 more. Search engines treat that as hidden text: set `display="visible"` on <ProductReviews>. This is fine only if the widget of the service shows the same reviews. [PR_AUDIT_FAILED]',
			'1 page: <ReviewSchema> is used twice for the same product: "/evil/". Remove one. [PR_AUDIT_FAILED]',
		]);
		expect(describeFindings([])).toEqual([]);
	});
});
