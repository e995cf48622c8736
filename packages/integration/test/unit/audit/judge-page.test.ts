import { describe, expect, test } from 'vitest';
import { auditPage } from '../../../src/audit/audit.js';
import { RULES } from '../../../src/audit/audit-rules.js';
import { judgePage } from '../../../src/audit/judge-page.js';
import { type GivenMarkup, readMarkup } from '../../../src/audit/markup.js';
import type { ProductFacts } from '../../../src/render/facts.js';

const ID = 'https://shop.example/kettle/';

const review = (parts: Record<string, unknown> = {}) => ({
	'@type': 'Review',
	author: { '@type': 'Person', name: 'Ada' },
	reviewRating: { '@type': 'Rating', ratingValue: 4.5, bestRating: '5', worstRating: '1' },
	publisher: { '@type': 'Organization', name: 'Shop' },
	datePublished: '2026-03-05',
	...parts,
});
const rating = (parts: Record<string, unknown> = {}) => ({
	'@type': 'AggregateRating',
	ratingValue: 4.5,
	reviewCount: 2,
	bestRating: '5',
	worstRating: '1',
	...parts,
});
const product = (parts: Record<string, unknown> = {}) => ({
	'@context': 'https://schema.org',
	'@type': 'Product',
	'@id': ID,
	name: 'Kettle',
	image: 'https://shop.example/kettle.jpg',
	offers: { '@type': 'Offer', price: 19.9, priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
	aggregateRating: rating(),
	review: [review()],
	...parts,
});
const page = (nodes: readonly unknown[], parts: Partial<GivenMarkup> = {}) =>
	readMarkup({
		scripts: nodes.map((node) => (typeof node === 'string' ? node : JSON.stringify(node))),
		microdata: [],
		isNoindex: false,
		...parts,
	});
const broken = (markup: ReturnType<typeof page>) =>
	judgePage([], markup)
		.filter(({ state }) => state === 'broken')
		.map(({ rule, broken }) => [rule.name, broken]);

describe('a page keeps every rule about its structured data', () => {
	test.each<[string, readonly unknown[]]>([
		['one product', [product()]],
		['numbers as strings', [product({ aggregateRating: rating({ ratingValue: '4.5', reviewCount: '2' }) })]],
		['another scale', [product({ aggregateRating: rating({ ratingValue: 88, bestRating: 100 }) })]],
		['a product in a graph, beside its site', [{ '@graph': [product(), { '@type': 'WebSite' }] }]],
		['what the page is about', [{ '@type': 'ItemPage', mainEntity: product() }]],
		[
			'one product in two nodes',
			[
				product({ aggregateRating: undefined, review: undefined }),
				{ '@type': 'Product', '@id': ID, aggregateRating: rating(), review: [review()] },
			],
		],
		[
			'a review that stands alone',
			[{ ...review(), itemReviewed: { '@type': 'Product', '@id': ID } }, product({ review: undefined })],
		],
		['an offer that summarizes others', [product({ offers: { lowPrice: 9, priceCurrency: 'EUR' } })]],
		['a variant beside its group', [product({ '@type': 'ProductGroup' }), { ...product(), isVariantOf: {} }]],
		['several authors', [product({ review: review({ author: [{ name: 'Ada' }, 'Ben'] }) })]],
	])('%s', (_what, nodes) => {
		expect(broken(page(nodes))).toEqual([]);
	});
});

describe('a page breaks a rule with', () => {
	const of = (parts: Record<string, unknown>) => [product(parts)];
	const name = '"Kettle"';
	test.each<[string, readonly unknown[], [string, string[]]]>([
		['invalid JSON', ['{'], ['json-ld-valid', ['script 1']]],
		['a raw tag', ['{"name":"</b>"}'], ['json-ld-escaped', ['script 1']]],
		[
			'two products',
			[product(), product({ '@id': 'https://shop.example/pan/', name: 'Pan' })],
			['one-product', [name, '"Pan"']],
		],
		['no name', of({ name: '' }), ['product-complete', ['""']]],
		[
			'a rating outside its scale',
			of({ aggregateRating: rating({ ratingValue: 5.1 }) }),
			['rating-in-range', [`rating of ${name}`]],
		],
		[
			'a decimal comma',
			of({ aggregateRating: rating({ ratingValue: '4,5' }) }),
			['rating-in-range', [`rating of ${name}`]],
		],
		[
			'no scale',
			of({ aggregateRating: rating({ bestRating: undefined }) }),
			['rating-scale', [`rating of ${name}`]],
		],
		[
			'no ratings',
			of({ aggregateRating: rating({ reviewCount: 0 }) }),
			['rating-counted', [`rating of ${name}`]],
		],
		[
			'a rating of the shop',
			[product(), { '@type': 'OnlineStore', name: 'Shop', aggregateRating: rating() }],
			['rating-of-product', ['rating of "Shop"']],
		],
		[
			'a review without an author',
			of({ review: [review(), review({ author: undefined })] }),
			['reviews-attributed', [`review 2 of ${name}`]],
		],
		[
			'an author with a long name',
			of({ review: review({ author: { name: 'a'.repeat(100) } }) }),
			['reviews-attributed', [`review 1 of ${name}`]],
		],
		[
			'a review without a rating',
			of({ review: review({ reviewRating: { ratingValue: 'good' } }) }),
			['reviews-rated', [`review 1 of ${name}`]],
		],
		[
			'a date in words',
			of({ review: review({ datePublished: '5 March 2026' }) }),
			['reviews-dated', [`review 1 of ${name}`]],
		],
		[
			'a review in its product that says what it is about',
			of({ review: review({ itemReviewed: { '@id': ID } }) }),
			['reviews-placed', [`review 1 of ${name}`]],
		],
		['a review that stands alone, about nothing', [product(), review()], ['reviews-placed', ['review 1']]],
		[
			'reviews of another site',
			of({ review: [review(), review({ publisher: { name: 'Elsewhere' } })] }),
			['reviews-own', ['Shop', 'Elsewhere']],
		],
		['a price of 0', of({ offers: { price: 0, availability: 'a' } }), ['offer-price', [`offer of ${name}`]]],
		[
			'a price with its currency',
			of({ offers: { price: '19.90 €', availability: 'a' } }),
			['offer-price', [`offer of ${name}`]],
		],
		['no image', of({ image: undefined }), ['listing-complete', [name]]],
	])('%s', (_what, nodes, expected) => {
		expect(broken(page(nodes))).toEqual([expected]);
	});

	test('microdata beside it', () => {
		const microdata = ['https://schema.org/BreadcrumbList', 'http://schema.org/Product'];
		expect(broken(page([product()], { microdata }))).toEqual([
			['no-microdata', ['http://schema.org/Product']],
		]);
	});

	test('noindex', () => {
		expect(broken(page([product()], { isNoindex: true }))).toEqual([['indexed', ['noindex']]]);
	});
});

test('each rule about structured data is broken by some page above, or these tests miss it', () => {
	const markupRules = RULES.filter((rule) => 'judge' in rule).map(({ name }) => name);
	expect(markupRules).toHaveLength(17);
});

test('a page without structured data leaves the rules about it open', () => {
	const states = judgePage([], page([]));
	expect(states.map(({ rule }) => rule.name)).toEqual(RULES.map(({ name }) => name));
	expect(new Set(states.map(({ state }) => state))).toEqual(new Set(['open']));
});

test('a build finds with the same list what it can know without the page', () => {
	const schema: ProductFacts = {
		component: 'ReviewSchema',
		pid: 'a',
		id: undefined,
		count: 2,
		listed: 2,
		sort: 'as-sent',
	};
	const judged = judgePage([schema], page(['{']));
	expect(judged.filter(({ state }) => state === 'broken').map(({ rule }) => rule.name)).toEqual([
		'schema-without-reviews',
		'json-ld-valid',
	]);
	expect(judged.find(({ rule }) => rule.name === 'schema-twice')?.state).toBe('kept');
	expect(judged.find(({ rule }) => rule.name === 'hidden-only')?.state).toBe('open');
	expect(auditPage([schema])).toEqual([{ rule: 'schema-without-reviews', pids: ['a'] }]);
});

test('deep, odd and hostile JSON-LD is read without an error', () => {
	const deep = `${'{"review":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
	const odd = [
		'null',
		'[]',
		'[[1]]',
		'{"@graph":null}',
		'{"@type":["Product",null]}',
		'{"__proto__":{}}',
		deep,
	];
	expect(() => judgePage([], page(odd))).not.toThrow();
});
