import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedSite, serveSite } from '../support/browser/served-site.js';
import { type RawService, startRawService } from '../support/service/raw-service.js';

/** Accents that a browser stacks on one letter: each is painted further away from its line. */
const STACK = '\u0301'.repeat(300) + '\u0323'.repeat(300);
const TEXTS: Readonly<Record<string, string>> = {
	plain: 'e e e e e e e e',
	stacked: Array.from({ length: 8 }, () => `e${STACK}`).join(' '),
};

let service: RawService;
let site: ServedSite;
let page: Page;

beforeAll(async () => {
	service = await startRawService((pid) => ({
		text: TEXTS[pid] ?? '',
		place: 'reviews',
		jsonld: 'escaped',
	}));
	site = await serveSite('every-display', { service: service.url, pages: Object.keys(TEXTS) });
	page = await site.context.newPage();
});

afterAll(async () => {
	await site?.close();
	await service?.close();
});

/** A picture of everything above the first review that a stranger wrote. */
async function pictureAbove(path: string): Promise<Buffer> {
	await page.goto(site.url + path);
	const review = page.locator('.product-reviews .review-item').nth(1);
	const { y: height } = (await review.boundingBox()) ?? { y: 0 };
	expect(height).toBeGreaterThan(200);
	return page.screenshot({ clip: { x: 0, y: 0, width: 1280, height } });
}

test('accents stacked without end are not painted over what is above the review', async () => {
	await page.setViewportSize({ width: 1280, height: 900 });
	const plain = await pictureAbove('/products/n1/');

	const stacked = await pictureAbove('/products/n2/');
	expect(stacked.equals(plain)).toBe(true);
});
