import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DevServer } from 'product-reviews-test-support/astro';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { markOf, productIds, publish, startShop } from '../support/build/service.js';

const PIDS = productIds(30);
const { project, service } = await startShop('store', PIDS);

test('what "astro-product-reviews cache invalidate" marks is asked for again on the next visit, and nothing else', async () => {
	const dev = await project.dev();
	onTestFinished(dev.stop);
	const shows = async (index: number, text: string) =>
		expect(await (await fetch(`${dev.url}/products/n${index}`)).text()).toContain(text);
	const cache = async (...args: string[]) =>
		(await project.command(['cache', ...args, '--cache-dir', '.cache/product-reviews'])).printed;
	// The second visits find what the first ones stored, and no mark.
	for (const index of [1, 2, 1, 2]) await shows(index, markOf(index - 1));
	expect(service.requests.count()).toBe(2);
	const body = 'Written after the first visit.';
	for (const pid of ['p-1', 'p-2']) publish(service, pid, body);
	// Rows are written a second after they came.
	await expect.poll(() => cache('ls'), { interval: 500 }).toContain('2 products');
	expect(await cache('invalidate', 'p-1')).toContain('Marked 1 product');

	await shows(1, body);
	await shows(2, markOf(1));
	expect(service.requests.count()).toBe(3);
	await shows(1, body);
	expect(service.requests.count()).toBe(3);

	expect(await cache('invalidate', '--all')).toContain('Marked 2 products');
	await shows(2, body);
	expect(service.requests.count()).toBe(4);
});

describe('without an address of the service and a website id', () => {
	const bare = createProject('store', { pages: PIDS });
	let dev: DevServer;

	beforeAll(async () => {
		dev = await bare.dev();
	});

	afterAll(async () => {
		await dev?.stop();
		bare.remove();
	});

	test('pages have no reviews, and one line says what to set', async () => {
		const response = await fetch(`${dev.url}/products/n3`);
		expect(response.status).toBe(200);
		const page = await response.text();
		expect(page).toContain('After the reviews.');
		expect(page).not.toContain('class="pr-product-reviews');
		const lines = dev.output().split('\n');
		expect(lines.filter((line) => line.includes('REVIEWS_BASE_URL'))).toEqual([
			expect.stringContaining(
				'Pages have no reviews, and builds fail. Not set: the address of the review service and the website id of the store. Set REVIEWS_BASE_URL and REVIEWS_WSID in .env or in the environment, or "baseUrl" and "wsid" in productReviews().',
			),
		]);
	});

	test('once they are in .env, pages have reviews', async () => {
		writeFileSync(join(bare.root, '.env'), `REVIEWS_BASE_URL=${service.url}\nREVIEWS_WSID=${service.wsid}\n`);
		// Vite restarts the server, which closes connections.
		const visitBare = async () => (await fetch(`${dev.url}/products/n3`)).text();
		await expect.poll(visitBare, { interval: 500 }).toContain(markOf(2));
	});
});
