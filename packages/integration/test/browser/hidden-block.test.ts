import type { Page } from 'playwright-core';
import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServedSite, serveSite } from '../support/browser/served-site.js';

let service: Sandbox;
let site: ServedSite;
let page: Page;

beforeAll(async () => {
	service = await startSandbox();
	site = await serveSite('product-page', { service: service.url, pages: ['p-1'] });
	page = await site.context.newPage();
});

afterAll(async () => {
	await site?.close();
	await service?.close();
});

const visit = (display: string) => page.goto(`${site.url}/${display}/`);

/** Presses Tab once around the page; the texts of what it stops at. */
async function tabStops(): Promise<(string | null)[]> {
	const stops: (string | null)[] = [];
	for (let press = 0; press < 100; press++) {
		await page.keyboard.press('Tab');
		const stop = await page.evaluate(() => {
			const { activeElement } = document;
			return activeElement === document.body ? undefined : activeElement?.textContent;
		});
		if (stop === undefined) return stops;
		stops.push(stop);
	}
	throw new Error('Tab never leaves the page.');
}

/** Every text that the browser hands to screen readers. */
async function spokenTexts(): Promise<string> {
	const session = await site.context.newCDPSession(page);
	const { nodes } = await session.send('Accessibility.getFullAXTree');
	await session.detach();
	return nodes
		.filter(({ ignored }) => !ignored)
		.map(({ name }) => name?.value)
		.join('\n');
}

test('Tab stops where it does on the page without reviews', async () => {
	await visit('without');
	const stops = await tabStops();
	expect(stops).toEqual(['Delivery', 'How to care for it', 'Add to basket', 'Where to', 'Contact']);

	await visit('hidden');
	expect(await page.locator('[data-display="hidden"] a').count()).toBeGreaterThan(10);
	expect(await tabStops()).toEqual(stops);
});

test('screen readers get none of its texts, and all of the visible list’s', async () => {
	await visit('hidden');
	const texts = (await page.locator('.review-body').allTextContents()).flatMap(toLines);
	expect(texts.length).toBeGreaterThan(20);
	const spoken = await spokenTexts();
	expect(spoken).toContain('Boils a litre in four minutes.');
	expect(texts.filter((text) => spoken.includes(text))).toEqual([]);

	await visit('visible');
	const spokenVisible = await spokenTexts();
	expect(texts.filter((text) => !spokenVisible.includes(text))).toEqual([]);
});

/** A text's lines as they are set: its white space is not. */
function toLines(text: string): string[] {
	return text
		.split('\n')
		.map((line) => line.replace(/\s+/g, ' ').trim())
		.filter(Boolean);
}
