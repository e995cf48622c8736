import { SEED_PRODUCTS } from 'product-reviews-sandbox';
import { openPage } from 'product-reviews-test-support/browser';
import { afterAll, describe, expect, test } from 'vitest';
import { serveSite } from '../../../packages/integration/test/support/browser/served-site.ts';
import { CATEGORIES } from '../../src/catalog/categories.ts';
import { PRODUCTS } from '../../src/catalog/products.ts';
import type { Product } from '../../src/catalog/types.ts';

const RIGHT_TO_LEFT = /[\u0590-\u06ff]/;
/** One category: others differ in their products alone. */
const LISTINGS = ['/', '/products/', ...CATEGORIES.slice(0, 1).map(({ slug }) => `/category/${slug}/`)];
const pathOf = ({ slug }: Pick<Product, 'slug'>) => `/products/${slug}/`;
const KETTLE = '/products/enamel-kettle/';

const site = await serveSite('../../../../../playground', {
	environment: { PLAYGROUND_CACHE_DIR: './.cache' },
});
const { store, url: service } = site.service;

afterAll(site.close);

const open = (path: string, width = 1280) => openPage(site.context, `${site.url}${path}`, width);

/** The path of the first product that meets a condition. */
const findPath = (isWanted: (product: Product) => boolean) =>
	pathOf(PRODUCTS.find(isWanted) ?? expect.fail('The seed has no such product.'));
const reviewCount = (pid: string) => store.listReviews({ pid, status: 'published' }).length;

const isAtService = (address: string) => address.startsWith(`${service}/media/`);
const isElsewhere = (address: string) =>
	!address.startsWith(`${site.url}/`) && !address.startsWith('data:') && !isAtService(address);

test.each([360, 1280])(
	'every kind of page, %i pixels wide: fits, no picture is broken, nothing comes from elsewhere, and nothing is logged',
	async (width) => {
		const photos = new Set<string>();
		const products = ['p-1', 'p-2', 'p-33', 'p-34'].flatMap((pid) => {
			const path = findPath((product) => product.pid === pid);
			return [path, `${path}reviews/`];
		});
		for (const path of [...LISTINGS, ...products]) {
			const { page, status, requests, problems } = await open(path, width);
			const found = await page.evaluate(() => ({
				lang: document.documentElement.lang,
				width: document.documentElement.scrollWidth,
				broken: [...document.images].filter(({ naturalWidth }) => naturalWidth === 0).map(({ src }) => src),
				mains: document.querySelectorAll('main').length,
				titles: document.querySelectorAll('h1').length,
			}));
			expect({ status, problems, ...found }, path).toEqual({
				...{ status: 200, problems: [], lang: 'en-GB', width, broken: [], mains: 1, titles: 1 },
			});
			expect(requests.filter(isElsewhere), path).toEqual([]);
			for (const request of requests) if (isAtService(request)) photos.add(request);
			await page.close();
		}
		expect(photos.size).toBeGreaterThan(10);
	},
);

describe('a product page', () => {
	test('shows the reviews to visitors, where its stars lead', async () => {
		const { page } = await open(KETTLE, 360);
		const reviews = page.locator('.pr-product-reviews .pr-review');
		expect(await reviews.count()).toBe(reviewCount('p-1'));
		expect(await reviews.last().locator('.pr-body').isVisible()).toBe(true);
		await page.getByRole('link', { name: /4\.4 out of 5 stars/ }).click();
		expect(new URL(page.url()).hash).toBe('#reviews');
		const top = () => page.evaluate(() => document.querySelector('#reviews')?.getBoundingClientRect().top);
		await expect.poll(top).toBeLessThan(60);
	});

	test('renders a right-to-left review from right to left, and markup in a review as text', async () => {
		const isRightToLeft = ({ pid }: Product) =>
			store.listReviews({ pid, status: 'published' }).some(({ body }) => RIGHT_TO_LEFT.test(body));
		const { page } = await open(findPath(isRightToLeft));
		const body = page.locator('.pr-body').filter({ hasText: RIGHT_TO_LEFT }).first();
		expect(await body.getAttribute('dir')).toMatch(/^(auto|rtl)$/);
		expect(await body.evaluate((element) => getComputedStyle(element).direction)).toBe('rtl');
		expect(await page.evaluate(() => getComputedStyle(document.body).direction)).toBe('ltr');

		const { page: skillet } = await open('/products/cast-iron-skillet/');
		expect(await skillet.locator('.pr-title').allTextContents()).toContain('<b>Best pan ever</b>');
		expect(await skillet.locator('.pr-product-reviews b').count()).toBe(0);
	});
});

test('photos show what the shop sells', () => {
	expect(PRODUCTS).toMatchObject(SEED_PRODUCTS.map(({ pid, motif }) => ({ pid, motif })));
});

test('a page has everything that the service has about its reviews: a photo opens large, and a video plays', async () => {
	const { page, problems } = await open(`${KETTLE}reviews/`);
	const section = page.getByRole('region', { name: 'What people say' });
	for (const name of ['What reviews mention', 'Photos and videos', 'Reviews', 'Questions and answers'])
		expect(await section.getByRole('region', { name, exact: true }).count(), name).toBe(1);
	const photo = page.locator('.pr-review-media li:has(img)').first();
	await photo.locator('.pr-media-thumbnail').click();
	const large = photo.locator('[popover] img');
	await expect
		.poll(() => large.evaluate((image: HTMLImageElement) => image.naturalHeight))
		.toBeGreaterThan(800);
	expect((await large.boundingBox())?.height).toBeGreaterThan(400);
	await page.keyboard.press('Escape');
	const item = page.locator('.pr-review-media li:has(video)').first();
	await item.locator('.pr-media-thumbnail').click();
	const video = item.locator('[popover] video');
	expect(isAtService((await video.getAttribute('src')) ?? '')).toBe(true);
	await video.evaluate((element: HTMLVideoElement) => element.play());
	const time = () => video.evaluate((element: HTMLVideoElement) => element.currentTime);
	await expect.poll(time).toBeGreaterThan(0.5);
	expect(await video.evaluate((element: HTMLVideoElement) => element.duration)).toBeCloseTo(4, 0);
	// Seeking sends a range request.
	await video.evaluate((element: HTMLVideoElement) => {
		element.currentTime = 3;
	});
	await expect.poll(time).toBeGreaterThanOrEqual(3);
	expect(problems).toEqual([]);
});
