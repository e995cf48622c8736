import { expect, test } from 'vitest';
import { type GivenMarkup, judgePage, readMarkup } from '../../../src/pages/audit.js';
import { RULES } from '../../../src/pages/audit-rules.js';
import type { ProductFacts } from '../../../src/render/fragment.js';

type Parts = Readonly<Record<string, unknown>>;

const ID = 'https://shop.example/kettle/';

const review = { '@type': 'Review', author: { '@type': 'Person', name: 'Ada' }, datePublished: '2026-03-05' };
const rating = { '@type': 'AggregateRating', ratingValue: 4.5, reviewCount: 2 };
const reviews = { aggregateRating: rating, review: [review] };
const product = (parts: Parts = {}) => ({
	...{ '@context': 'https://schema.org', '@type': 'Product', '@id': ID, name: 'Kettle' },
	image: 'https://shop.example/kettle.jpg',
	offers: { '@type': 'Offer', price: 19.9, priceCurrency: 'EUR', availability: 'https://schema.org/InStock' },
	...reviews,
	...parts,
});
const page = (nodes: readonly unknown[], parts: Partial<GivenMarkup> = {}) =>
	readMarkup({
		scripts: nodes.map((node) => (typeof node === 'string' ? node : JSON.stringify(node))),
		...{ microdata: [], isNoindex: false },
		...parts,
	});
const brokenOn = (markup: ReturnType<typeof page>, facts: ProductFacts[] = []) =>
	judgePage(facts, markup)
		.filter(({ broken }) => broken.length > 0)
		.map(({ rule, broken }) => [rule.name, ...broken]);

const bare = { aggregateRating: undefined, review: undefined };

test.each<[string, readonly unknown[]]>([
	['one product', [product()]],
	['a product in a graph, beside its site', [{ '@graph': [product(), { '@type': 'WebSite' }] }]],
	['what the page is about', [{ '@type': 'ItemPage', mainEntity: product() }]],
	['one product in two nodes', [product(bare), { '@type': 'Product', '@id': ID, ...reviews }]],
	['an offer that summarizes others', [product({ offers: { lowPrice: 9, priceCurrency: 'EUR' } })]],
	['a variant beside its group', [product({ '@type': 'ProductGroup' }), { ...product(), isVariantOf: {} }]],
])('%s keeps every rule about structured data', (_what, nodes) => {
	expect(brokenOn(page(nodes))).toEqual([]);
});

const offered = (parts: Parts) => [product({ offers: { price: 1, availability: 'InStock', ...parts } })];

const MICRODATA = ['https://schema.org/BreadcrumbList', 'http://schema.org/Product'];
const BROKEN: [string, readonly unknown[], [rule: string, ...broken: string[]], Partial<GivenMarkup>?][] = [
	['invalid JSON', ['{'], ['json-ld-valid', 'script 1']],
	['a raw tag', ['{"name":"</b>"}'], ['json-ld-escaped', 'script 1']],
	['two products', [product(), product({ '@id': 'b', name: 'Pan' })], ['one-product', '"Kettle"', '"Pan"']],
	['no name', [product({ name: '' })], ['product-complete', '""']],
	['a price of 0', offered({ price: 0 }), ['product-price', 'offers.price is "0"']],
	[
		...(['a price with its currency', offered({ price: '19.90 €' })] as const),
		['product-price', 'offers.price is "19.90 €"'],
	],
	[
		'a sign as a currency',
		offered({ priceCurrency: '€' }),
		['product-currency', 'offers.priceCurrency is "€"'],
	],
	['an availability', offered({ availability: 'a' }), ['product-availability', 'offers.availability is "a"']],
	['a condition', offered({ itemCondition: 'a' }), ['product-condition', 'offers.itemCondition is "a"']],
	['a GTIN', [product({ gtin: '1' })], ['product-gtin', 'gtin is "1"']],
	['a date', [product({ releaseDate: '1.2.2026' })], ['product-date', 'releaseDate is "1.2.2026"']],
	['an image', [product({ image: './a.png' })], ['product-address', 'image is "./a.png"']],
	['no image', [product({ image: undefined })], ['listing-complete', '"Kettle"']],
	['microdata', [product()], ['no-microdata', 'http://schema.org/Product'], { microdata: MICRODATA }],
	['noindex', [product()], ['indexed', 'noindex'], { isNoindex: true }],
];

test.each(BROKEN)('%s breaks a rule', (_what, nodes, expected, parts = {}) => {
	expect(brokenOn(page(nodes, parts))).toEqual([expected]);
});

test('every rule about structured data is broken above; without any, all rules are open', () => {
	const broken = new Set(BROKEN.map(([, , [rule]]) => rule));
	const rules = RULES.filter((rule) => 'judge' in rule || ('problem' in rule && rule.problem !== 'value'));
	expect([...broken].sort()).toEqual(rules.map(({ name }) => name).sort());
	const states = judgePage([], page([]));
	expect(states.map(({ rule }) => rule.name)).toEqual(
		RULES.flatMap((rule) => ('areWrong' in rule ? [] : rule.name)),
	);
	for (const { isAbout, broken } of states) expect([isAbout, broken]).toEqual([false, []]);
});

test('what a build can know without the page is judged by the same rules', () => {
	const facts: ProductFacts[] = [
		{ component: 'ReviewSchema', pid: 'a', id: undefined, count: 2, listed: 2, sort: '' },
	];
	const markup = page(['{']);
	expect(brokenOn(markup, facts)).toEqual([
		['schema-without-reviews', 'a'],
		['json-ld-valid', 'script 1'],
	]);
	const states = new Map(judgePage(facts, markup).map((judged) => [judged.rule.name as string, judged]));
	expect(states.get('schema-twice')).toMatchObject({ isAbout: true, broken: [] });
	expect(states.get('hidden-only')).toMatchObject({ isAbout: false, broken: [] });
});

test('deep, odd and hostile JSON-LD is read without an error', () => {
	const deep = `${'{"@type":"Product","review":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
	const odd = ['null', '[]', '[[1]]', '{"@graph":null}', '{"@type":["Product",null]}', '{"__proto__":{}}'];
	expect(() => judgePage([], page([...odd, deep]))).not.toThrow();
});
