import { describe, expect, test } from 'vitest';
import type { ProductReviews } from '../../../src/records/record.js';
import type { ShopProduct } from '../../../src/render/fragment.js';
import { findElements } from '../../support/page/elements.js';
import { displayed, record } from '../../support/unit/record.js';
import { type Props, write } from '../../support/unit/write.js';

/** Products with reviews of these days, as a store has them: those with the newest first. */
function shopOf(days: Readonly<Record<string, readonly string[]>>, parts: Partial<ProductReviews> = {}) {
	const read: string[] = [];
	const products: ShopProduct[] = Object.entries(days).map(([pid, dates]) => ({
		pid,
		newest: dates.toSorted().at(-1) ?? '',
		read() {
			read.push(pid);
			const reviews = dates.map((date) =>
				displayed({ date, title: `${pid} ${date}`, pinned: date.endsWith('-01') }),
			);
			return record({ pid, reviews, ...parts });
		},
	}));
	products.sort((one, other) => (one.newest < other.newest ? 1 : -1));
	return { shop: { products }, read };
}

const SHOP = {
	'p-1': ['2026-01-01', '2026-03-05'],
	'p-2': ['2026-03-05', '2026-03-04', '2026-02-01'],
	'p-3': ['2026-01-31'],
};

const titles = (days: Parameters<typeof shopOf>[0], props: Props) =>
	[...write('LatestReviews', shopOf(days).shop, props).matchAll(/pr-title"[^>]*>([^<]*)/g)].map(
		([, title]) => title,
	);

describe('<LatestReviews>', () => {
	test('the newest of all products, in one order wherever they come from; pinned ones are not first', () => {
		expect(titles(SHOP, { limit: 4 })).toEqual([
			...['p-1 2026-03-05', 'p-2 2026-03-05', 'p-2 2026-03-04', 'p-2 2026-02-01'],
		]);
		expect(titles(SHOP, {})).toHaveLength(6);
		expect(titles(SHOP, { limit: 1 })).toEqual(['p-1 2026-03-05']);
		expect(titles(SHOP, { limit: 0 })).toEqual([]);
	});

	test('products that cannot have one of them are not read', () => {
		const { shop, read } = shopOf(SHOP);
		write('LatestReviews', shop, { limit: 3 });
		expect(read.toSorted()).toEqual(['p-1', 'p-2']);
	});

	test('a filter leaves out, and what is left is the latest', () => {
		expect(titles(SHOP, { filter: { minRating: 5.5 } })).toEqual([]);
		const { shop } = shopOf({ 'p-1': ['2026-01-02'] }, { reviews: [displayed({ body: undefined })] });
		expect(write('LatestReviews', shop)).toBe('');
		expect(write('LatestReviews', shop, { filter: {} })).toContain('pr-review');
		expect(() => write('LatestReviews', shop, { filter: { testimonial: true } })).toThrow(
			/expected each key of `filter` to be one of 'stars', 'minRating', 'hasText', 'language'/,
		);
		expect(() => write('LatestReviews', shop, { sort: 'as-sent-by' })).toThrow(/expected `sort`/);
	});

	test('the product of each, with a link to where the site says that it is, or the service', () => {
		const links = (props: Props) =>
			findElements(write('LatestReviews', shopOf({ 'p/1': ['2026-01-02'] }).shop, props)).elements.flatMap(
				({ tag, attributes }) => (tag === 'a' ? attributes['href'] : []),
			);
		expect(links({})).toEqual(['https://shop.example/products/p-1']);
		expect(links({ productUrl: '/products/{pid}/' })).toEqual(['/products/p%2F1/']);
	});

	test('the name and the link of each are those of the site where it gives them', () => {
		const { shop } = shopOf({ 1: ['2026-01-06'], 2: ['2026-01-05'], 3: ['2026-01-04'], 4: ['2026-01-03'] });
		const products = [
			{ pid: 1, name: 'Kettle & <co>', url: '/products/kettle/' },
			{ pid: '2', name: 'Pan' },
			{ pid: '3', url: 'https://pots.example/?a=1&b=2', name: undefined },
			4,
		];
		const shown = (props: Props) =>
			write('LatestReviews', shop, { products, ...props }).match(/<p class="pr-product">.*?<\/p>/g);
		const link = (url: string, name: string) =>
			`<p class="pr-product"><a class="pr-product-link" href="${url}"><bdi>${name}</bdi></a></p>`;
		const [name, url] = ['Kettle', 'https://shop.example/products/p-1'];
		const kettle = link('/products/kettle/', 'Kettle &amp; &lt;co&gt;');
		const pot = link('https://pots.example/?a=1&amp;b=2', name);
		expect(shown({})).toEqual([kettle, link(url, 'Pan'), pot, link(url, name)]);
		expect(shown({ productUrl: '/{pid}/' })).toEqual([kettle, link('/2/', 'Pan'), pot, link('/4/', name)]);
	});

	test('names of authors are as the site wants them, and nothing is written of an empty shop', () => {
		const { shop } = shopOf({ 'p-1': ['2026-01-02'] }, { reviews: [displayed({ author: 'Ada Lovelace' })] });
		expect(write('LatestReviews', shop, {}, { authorNames: 'initials' })).toContain('<bdi>A. L.</bdi>');
		expect(write('LatestReviews', { products: [] })).toBe('');
		expect(write('LatestReviews', { products: [] }, { fallback: 'Soon' })).toContain('Soon');
	});
});
