import type { Page } from 'playwright-core';
import { SEED_PRODUCTS } from 'product-reviews-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { PRODUCTS } from '../../src/catalogue/products.ts';
import { type ServedShop, serveShop } from '../support/served-shop.ts';

let shop: ServedShop;

beforeAll(async () => {
	shop = await serveShop();
});

afterAll(() => shop?.close());

const PATHS = [
	'/',
	'/products/',
	'/category/outdoor/',
	...PRODUCTS.slice(0, 12).flatMap(({ slug }) => [`/products/${slug}/`, `/products/${slug}/reviews/`]),
];

const isAtService = (address: string) => address.startsWith(`${shop.sandbox.url}/media/`);

const picturesOf = (page: Page) =>
	page.evaluate(() => [...document.images].map(({ src, naturalWidth }) => ({ src, naturalWidth })));

test('photos show what the shop sells', () => {
	const looks = ({ pid, motif }: { pid: string; motif: string }) => [pid, motif];
	expect(SEED_PRODUCTS.map(looks)).toEqual(PRODUCTS.map(looks));
});

test('no picture in the shop is broken, including those in reviews', async () => {
	const photos = new Set<string>();
	for (const path of PATHS) {
		const { page, status, problems } = await shop.open(path, 1280);
		const pictures = await picturesOf(page);
		expect({ path, status, problems }).toEqual({ path, status: 200, problems: [] });
		expect(
			pictures.filter(({ naturalWidth }) => naturalWidth === 0),
			path,
		).toEqual([]);
		for (const { src } of pictures) if (isAtService(src)) photos.add(src);
		await page.close();
	}
	expect(photos.size).toBeGreaterThan(20);
});

test('a photo opens large, and a video plays', async () => {
	const { page, problems } = await shop.open('/products/enamel-kettle/reviews/', 1280);
	const photo = page.locator('.review-media .review-media-item:has(img)').first();
	await photo.locator('summary').click();
	const large = photo.locator('.review-media-view img');
	await expect
		.poll(() => large.evaluate((image: HTMLImageElement) => image.naturalHeight))
		.toBeGreaterThan(800);
	expect((await large.boundingBox())?.height).toBeGreaterThan(400);
	await page.keyboard.press('Enter');

	const item = page.locator('.review-media .review-media-item:has(video)').first();
	await item.locator('summary').click();
	const video = item.locator('video');
	expect(isAtService((await video.getAttribute('src')) ?? '')).toBe(true);
	await video.evaluate((element: HTMLVideoElement) => element.play());
	await expect
		.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
		.toBeGreaterThan(0.5);
	expect(await video.evaluate((element: HTMLVideoElement) => element.duration)).toBeCloseTo(4, 0);
	expect(await video.evaluate((element: HTMLVideoElement) => element.videoWidth)).toBe(360);
	// Seeking sends a range request.
	await video.evaluate((element: HTMLVideoElement) => {
		element.currentTime = 3;
	});
	await expect
		.poll(() => video.evaluate((element: HTMLVideoElement) => element.currentTime))
		.toBeGreaterThanOrEqual(3);
	expect(problems).toEqual([]);
});
