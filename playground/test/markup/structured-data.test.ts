import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PRODUCTS } from '../../src/catalogue/products.ts';
import { type Build, buildPlayground } from '../support/build-playground.ts';
import { crawlerReviewsOf } from '../support/crawler-reviews-of.ts';
import { findBrokenRules } from '../support/find-broken-rules.ts';
import { type BuiltPage, pageAt, readPages } from '../support/read-pages.ts';
import { findIssues, readNodes, restate } from '../support/structured-data.ts';

/** The property that is broken, its new value (`undefined` removes the property), and the validator's message. */
const FAULTS: [path: string, value: unknown, issue: string][] = [
	['name', undefined, 'ERROR Product: Required attribute "name" is missing'],
	['review.0.author', undefined, 'ERROR Product.review[0]: Required attribute "author" is missing'],
	['review.0.author.name', '', 'ERROR Product.review[0].author: Required attribute "name" is missing'],
	[
		'review.0.reviewRating',
		undefined,
		'ERROR Product.review[0]: Required attribute "reviewRating" is missing',
	],
	['review.0.reviewRating.ratingValue', 6, 'ERROR Product.review[0].reviewRating: Rating is outside'],
	[
		'review.0.reviewRating.ratingValue',
		undefined,
		'ERROR Product.review[0].reviewRating: Required attribute',
	],
	['review.0.datePublished', '31/02/2026', 'WARNING Product.review[0]: Invalid type for attribute'],
	['review.0.@type', 'Opinion', 'ERROR Product.review[0]: Type "Opinion" is not a valid schema.org type'],
	['aggregateRating.ratingValue', 9, 'ERROR Product.aggregateRating: Rating is outside'],
	[
		'aggregateRating.ratingValue',
		undefined,
		'ERROR Product.aggregateRating: Required attribute "ratingValue"',
	],
	[
		'aggregateRating.reviewCount',
		undefined,
		'ERROR Product.aggregateRating: One of the following conditions',
	],
	['aggregateRating.reviewCount', 'many', 'ERROR Product.aggregateRating: One of the following conditions'],
	[
		'aggregateRating.stars',
		4,
		'WARNING Product.aggregateRating: Property "stars" for type "AggregateRating"',
	],
];

/** The same for rules that the validator does not check. */
const BROKEN_RULES: [path: string, value: unknown, problem: string][] = [
	['@context', 'https://schema.example', '@context is https://schema.example'],
	['isSimilarTo', { '@type': 'Product', name: 'Another' }, '2 products on one page'],
	['review', [], 'Product: an empty list of reviews'],
	['aggregateRating', undefined, 'Product: 24 reviews listed, 0 counted'],
	['aggregateRating.reviewCount', 23, 'Product: 24 reviews listed, 23 counted'],
	['aggregateRating.reviewCount', 24.5, 'Product.aggregateRating: reviewCount is 24.5'],
	['aggregateRating.ratingCount', 0, 'Product.aggregateRating: ratingCount is 0'],
	['aggregateRating.ratingValue', '9', 'Product.aggregateRating: rated 9 on a scale from 1 to 5'],
	['aggregateRating.ratingValue', 'great', 'Product.aggregateRating: rated great on a scale from 1 to 5'],
	[
		'review.0.reviewRating.ratingValue',
		0.5,
		'Product.review[0].reviewRating: rated 0.5 on a scale from 1 to 5',
	],
	['review.0.author.name', ' ', 'Product.review[0]: an author with a name of 0 characters'],
	['review.0.author.name', 'x'.repeat(100), 'Product.review[0]: an author with a name of 100 characters'],
	['review.0.datePublished', '2026-02-31', 'Product.review[0]: published on 2026-02-31'],
	['review.0.datePublished', '9999-12-31', 'Product.review[0]: published on 9999-12-31'],
];

const PRODUCT_PAGES = PRODUCTS.map(({ pid, slug }) => ({ pid, path: `products/${slug}/index.html` }));

let sandbox: Sandbox;
let build: Build;
let pages: BuiltPage[];
let kettle: string;

beforeAll(async () => {
	sandbox = await startSandbox({ port: 0 });
	build = await buildPlayground(sandbox);
	pages = await readPages(build);
	kettle = pageAt(pages, 'products/enamel-kettle/index.html').html;
});

afterAll(async () => {
	await build?.remove();
	await sandbox?.close();
});

const productsIn = ({ html }: BuiltPage) => readNodes(html).filter(({ '@type': type }) => type === 'Product');

describe('the validator of structured data', () => {
	test('finds no problems in any page', async () => {
		for (const { path, html } of pages) expect(await findIssues(html), path).toEqual([]);
	});

	test.each(FAULTS)('reports %s as %j', async (path, value, issue) => {
		expect(await findIssues(restate(kettle, path, value))).toEqual([expect.stringContaining(issue)]);
	});

	test('reports a review that ends the script', async () => {
		const html = kettle.replace('"reviewBody":"', '"reviewBody":"</script>');
		expect(await findIssues(html)).toEqual(['ERROR script: Could not parse JSON-LD']);
	});
});

describe('the structured data', () => {
	test('of every page follows our own rules', () => {
		for (const { path, html } of pages) expect(findBrokenRules(html), path).toEqual([]);
	});

	test.each(BROKEN_RULES)('would break our own rules with %s as %j', (path, value, problem) => {
		expect(findBrokenRules(restate(kettle, path, value))).toContain(problem);
	});

	test('of a product page is one product, rated as the service rates it', async () => {
		let unrated = 0;
		for (const { pid, path } of PRODUCT_PAGES) {
			const { dataCount } = await crawlerReviewsOf(sandbox, pid);
			const [product, ...others] = productsIn(pageAt(pages, path));
			expect(others, path).toEqual([]);
			expect(product, path).toMatchObject({ sku: pid, offers: { '@type': 'Offer' } });
			if (dataCount.prtng > 0) {
				const rating = { ratingValue: dataCount.avgrtng, reviewCount: dataCount.prtng };
				expect(product, path).toMatchObject({ aggregateRating: rating });
			} else {
				unrated += 1;
				expect(product, path).not.toHaveProperty('aggregateRating');
				expect(product, path).not.toHaveProperty('review');
			}
		}
		expect(unrated).toBe(6);
	});

	test('of products is on their own pages only', () => {
		const own = new Set(PRODUCT_PAGES.map(({ path }) => path));
		const others = pages.filter(({ path }) => !own.has(path));
		expect(others).toHaveLength(69);
		for (const { path, html } of others) {
			expect(JSON.stringify(readNodes(html)), path).not.toMatch(/"(Product|AggregateRating|Review)"/);
		}
	});
});
