import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import type { Dependency, StoredPage } from '../../../src/cache/page-store.js';
import { type LEFT_OUT, nameProductOf, productOfNode } from '../../../src/feeds/product-ratings.js';
import { createPageFinder, whyNoFeed, writeProductRatings } from '../../../src/feeds/ratings-feed.js';
import type { ReviewData } from '../../../src/records/record.js';
import { fullReview, reviewData } from '../../support/unit/review-data.js';

const NODE = {
	name: 'Kettle',
	brand: { '@type': 'Brand', name: 'Fjell' },
	gtin13: '4006381333931',
	hasVariant: [
		{ sku: 'K-1', gtin: '4006381-333948', mpn: 17 },
		{ sku: 'K-2', gtin: '123' },
	],
};

function pagesOf(...pages: readonly [address: string, pid: string, product?: object][]) {
	const rows = pages.map(([address, pid, product]): StoredPage => {
		const request = { component: product ? 'ReviewSchema' : 'ReviewList', props: { product } };
		return { address, dependencies: [{ pid, from: 'reviews', request }], facts: [] };
	});
	return finderOf(rows).find;
}

/** @returns what finds the page of a product, and the addresses of pages whose rows were read. */
function finderOf(rows: readonly StoredPage[]) {
	const read: string[] = [];
	const get = (name: string) => {
		read.push(name);
		const row = rows.find(({ address }) => address === name);
		return row && { row, next: undefined };
	};
	const namesOf = (pid: string) =>
		rows.flatMap(({ address, dependencies }) => (dependencies.some((one) => one.pid === pid) ? address : []));
	return { find: createPageFinder({ get }, namesOf), read };
}

const SHOP = { site: 'https://shop.example', pageOf: pagesOf(['/products/kettle/', 'p-1', NODE]) };
const OPTIONS = { publisher: 'Fjell & Form', file: 'feeds/ratings.xml' };

/** Writes the feed of some products into a folder of its own. */
async function write(
	products: Readonly<Record<string, ReviewData | undefined>>,
	{
		options = {},
		...more
	}: Partial<Omit<Parameters<typeof writeProductRatings>[1], 'options'>> & { options?: object } = {},
) {
	const folder = createFolder();
	const context = {
		...SHOP,
		folder,
		options: { ...OPTIONS, ...options },
		load: async (pid: string) => products[pid],
		...more,
	};
	const { files, lines } = await writeProductRatings(Object.keys(products), context);
	const texts = files.map((file) => readFileSync(join(folder, file), 'utf8'));
	return { folder, files, lines, texts, xml: texts[0] ?? '' };
}

const withReviews = (...reviews: Parameters<typeof fullReview>[0][]) => ({
	'p-1': reviewData({ reviews: reviews.map((parts, index) => fullReview({ key: `r-${index}`, ...parts })) }),
});

test('a review has all that the feed takes, in its order, and no more of a name than an initial', async () => {
	const { files, lines, xml } = await write(
		withReviews({
			author: 'Ada King Lovelace',
			country: 'gb',
			rating: 4.5,
			...{ tags: ['gift'], incentivized: undefined, language: 'pt-BR' },
			title: 'A & B',
			images: ['https://a.example/1.jpg', 'https://localhost'],
		}),
		{ options: { favicon: 'https://shop.example/i.svg', incentivizedTag: 'gift' } },
	);
	expect(files).toEqual(['feeds/ratings.xml']);
	expect(lines).toEqual([
		`Product ratings of 1 product: feeds/ratings.xml (1 review, ${(Buffer.byteLength(xml) / 1_000).toFixed(1)} KB)`,
		'Product ratings leave out: invalid GTIN (1)',
	]);
	const ids =
		'<gtins><gtin>4006381333931</gtin><gtin>4006381333948</gtin></gtins><mpns><mpn>17</mpn></mpns><skus><sku>K-1</sku><sku>K-2</sku></skus><brands><brand>Fjell</brand></brands>';
	const page = 'https://shop.example/products/kettle/';
	expect(xml.replace(/>[\da-f]{8}-r-/, '>')).toBe(
		`<?xml version="1.0" encoding="UTF-8"?>\n<feed><version>2.4</version><publisher><name>Fjell &amp; Form</name><favicon>https://shop.example/i.svg</favicon></publisher><reviews>
<review><review_id>0</review_id><reviewer><name>Ada L.</name></reviewer><is_verified_purchase>true</is_verified_purchase><is_incentivized_review>true</is_incentivized_review><review_timestamp>2026-11-20T00:00:00Z</review_timestamp><title>A &amp; B</title><content>Boils fast.</content><review_language>pt</review_language><review_country>GB</review_country><review_url type="group">${page}</review_url><reviewer_images><reviewer_image><url>https://a.example/1.jpg</url></reviewer_image></reviewer_images><ratings><overall min="1" max="5">4.5</overall></ratings><products><product><product_ids>${ids}</product_ids><product_name>Kettle</product_name><product_url>${page}</product_url></product></products></review>
</reviews></feed>\n`,
	);
});

test('what is not known is left out, and what the feed cannot take is counted', async () => {
	const bare = {
		...{ author: undefined, verified: false, title: undefined, country: 'Norway', images: [] },
		...{ incentivized: undefined, language: undefined },
	};
	const { xml, lines } = await write(
		{
			...withReviews(
				bare,
				{ body: undefined },
				{ rating: undefined },
				{ date: undefined },
				{ body: 'Ask ada@shop.example\n0123 4567 89', title: '555-123-4567' },
				{ body: '0123456789' },
			),
			'p-2': reviewData(),
			'p-3': undefined,
			'p-4': reviewData({ reviews: [] }),
		},
		{ pageOf: pagesOf(['/k', 'p-1', {}]) },
	);
	expect(xml).toContain(
		'<reviewer><name is_anonymous="true">Anonymous</name></reviewer><review_timestamp>2026-11-20T00:00:00Z</review_timestamp><content>Boils fast.</content><review_url type="group">',
	);
	expect(xml).toContain(
		'<products><product><product_name>Kettle</product_name><product_url>https://shop.example/k</product_url></product></products>',
	);
	expect(xml).toContain('<content>Ask</content>');
	expect(xml.match(/<review>/g)).toHaveLength(2);
	expect(lines).toEqual([
		expect.stringContaining('Product ratings of 1 product: feeds/ratings.xml (2 reviews, '),
		'Product ratings leave out: review without text (2), review without rating (1), review without date (1), e-mail address or number in a text (3), 1 product without a page ("p-2"), 1 product that could not be read ("p-3")',
	]);
});

test('products are named by what the site says of them, then by the page with their structured data, then by the service', async () => {
	const leaveOut = (part: keyof typeof LEFT_OUT) => expect(part).toBe('');
	expect(
		nameProductOf(
			[{ gtin: '12345670', brand: [] }, productOfNode({ gtin8: 87654325, brand: ['A', 'B', 'A'] })],
			leaveOut,
		),
	).toEqual({
		...{ name: undefined, url: undefined, gtin: ['12345670'], mpn: [], sku: [], brand: ['A', 'B'], asin: [] },
	});
	const pageOf = pagesOf(
		['/a/', 'p-1'],
		['/products/long/', 'p-1', { name: 'N' }],
		['/products/b/', 'p-1', {}],
	);
	expect(pageOf('p-1')?.address).toBe('/products/b/');
	const { xml } = await write(withReviews({}), {
		options: {
			product: async (pid: string) => ({
				url: `https://other.example/${pid}`,
				// Characters that people cannot see are in no feed.
				name: 'Own\u{e0049}\u200b \u202e<name>\u2062\u0000',
				asin: 'B0',
			}),
		},
	});
	expect(xml).toContain(
		'<asins><asin>B0</asin></asins></product_ids><product_name>Own &lt;name&gt;</product_name><product_url>https://other.example/p-1</product_url>',
	);
});

test('the page of a product shows its reviews, and a page of many products is read once', () => {
	const pids = Array.from({ length: 100 }, (_, index) => `p-${index}`);
	const show = (component: string, pid: string, from: Dependency['from'] = 'reviews'): Dependency => {
		return { pid, from, request: { component, props: {} } };
	};
	const listing = { address: '/all/', dependencies: pids.map((pid) => show('ReviewList', pid)), facts: [] };
	const { find, read } = finderOf([
		listing,
		{ address: '/s/', dependencies: pids.map((pid) => show('StarRating', pid, 'rating')), facts: [] },
		{ address: '/m', dependencies: [show('Markdown', 'p-1')], facts: [] },
		{ address: '?', dependencies: [show('ReviewList', 'p-1')], facts: [] },
		{ address: '/p', dependencies: [show('ProductReviews', 'p-1')], facts: [] },
	]);
	for (const pid of pids) expect(find(pid)?.address).toBe(pid === 'p-1' ? '/p' : '/all/');
	expect(find('p-x')).toBeUndefined();
	expect(read.filter((name) => name === '/all/')).toHaveLength(1);
});

test('a feed goes on in another file before it is too long, and removes files of a longer one', async () => {
	const many = withReviews(...Array.from({ length: 40 }, () => ({ body: 'ü'.repeat(500) })));
	const { folder, files, texts, lines } = await write(many, { mostBytes: 20_000 });
	expect(files).toEqual([
		'feeds/ratings.xml',
		'feeds/ratings.2.xml',
		'feeds/ratings.3.xml',
		'feeds/ratings.4.xml',
	]);
	const ids = texts.flatMap((text) => {
		expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
		return new XMLParser()
			.parse(text)
			.feed.reviews.review.map((review: { review_id: string }) => review.review_id);
	});
	expect(new Set(ids).size).toBe(40);
	expect(lines[0]).toMatch(
		/^Product ratings of 1 product: feeds\/ratings\.xml \(\d+ reviews, 1\d\.\d KB\), feeds\/ratings\.2\.xml \(/,
	);
	writeFileSync(join(folder, 'feeds/ratings.6.xml'), 'not of the feed');
	const again = { ...SHOP, folder, options: OPTIONS, load: async () => many['p-1'] };
	await writeProductRatings(['p-1'], { ...again, mostBytes: 40_000 });
	expect(readdirSync(join(folder, 'feeds'))).toEqual(['ratings.2.xml', 'ratings.6.xml', 'ratings.xml']);
	const failing = { ...again, load: () => Promise.reject(new Error('no')) };
	await expect(writeProductRatings(['p-1'], failing)).rejects.toThrow('no');
	expect(readdirSync(join(folder, 'feeds'))).toEqual(['ratings.2.xml', 'ratings.6.xml', 'ratings.xml']);
});

test('a function of the site that fails is an error that names it and the product', async () => {
	const product = () => {
		throw new Error('No catalog.');
	};
	await expect(write(withReviews({}), { options: { product } })).rejects.toMatchObject({
		code: 'PR_FEED_PRODUCT',
		message:
			'The function of the option "feeds.productRatings.product" failed for the product "p-1": No catalog.',
	});
});

test('a feed that cannot be written says what it needs', () => {
	expect(whyNoFeed(false, undefined)).toContain(
		'it needs an access token, because only review data has the ids',
	);
	expect(whyNoFeed(true, undefined)).toContain('it needs the addresses of pages. Set "site" in the Astro');
	expect(whyNoFeed(true, 'https://shop.example')).toBeUndefined();
});
