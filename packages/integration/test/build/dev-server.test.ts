import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DevServer } from 'product-reviews-test-support/astro';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { markOf, productIds, publish, startShop } from '../support/build/service.js';

const PIDS = productIds(30);
const { project, service } = await startShop('store', PIDS, { options: { retries: 0, maxAge: 0 } });
let server: DevServer;

beforeAll(async () => {
	server = await project.dev();
});

afterAll(() => server.stop());

const visit = async (path: string) => (await fetch(`${server.url}${path}`)).text();

test('only what a page shows is fetched, and a new review shows on the next visit', async () => {
	expect(service.requests.count()).toBe(0);

	expect(await visit('/products/n3')).toContain(markOf(2));
	const asked = new Set(service.requests.all.flatMap(({ pids }) => pids));
	expect(asked).toEqual(new Set(['p-3']));

	publish(service, 'p-3', 'A new one.');
	expect(await visit('/products/n3')).toContain('A new one.');
});

test('what "astro-product-reviews cache invalidate" marks is asked for again on the next visit, and nothing else', async () => {
	const { project, service: other } = await startShop('store', PIDS, { atEnd: onTestFinished });
	const dev = await project.dev();
	onTestFinished(dev.stop);
	const shows = async (index: number, text: string) =>
		expect(await (await fetch(`${dev.url}/products/n${index}`)).text()).toContain(text);
	const cache = async (...args: string[]) =>
		(await project.command(['cache', ...args, '--cache-dir', '.cache/product-reviews'])).printed;
	// The second visits find what the first ones stored, and no mark.
	for (const index of [1, 2, 1, 2]) await shows(index, markOf(index - 1));
	expect(other.requests.count()).toBe(2);
	const body = 'Written after the first visit.';
	for (const pid of ['p-1', 'p-2']) publish(other, pid, body);
	// Rows are written a second after they came.
	await expect.poll(() => cache('ls'), { interval: 500 }).toContain('2 products');
	expect(await cache('invalidate', 'p-1')).toContain('Marked 1 product');

	await shows(1, body);
	await shows(2, markOf(1));
	expect(other.requests.count()).toBe(3);
	await shows(1, body);
	expect(other.requests.count()).toBe(3);

	expect(await cache('invalidate', '--all')).toContain('Marked 2 products');
	await shows(2, body);
	expect(other.requests.count()).toBe(4);
});

test('a failure of the service is a warning; the page shows what is stored, or goes without', async () => {
	service.faults.add({ kind: 'status', status: 500 });
	expect(await visit('/products/n3')).toContain(markOf(2));
	expect(await visit('/products/n5')).toContain('After the reviews.');
	// What the server prints may come after what it answers.
	await expect.poll(server.output).toContain('The service failed for the product "p-5"; nothing is shown.');
	expect(server.output()).toContain('The service failed for the product "p-3"; stored reviews are shown.');
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
		service.faults.clear();
		writeFileSync(join(bare.root, '.env'), `REVIEWS_BASE_URL=${service.url}\nREVIEWS_WSID=${service.wsid}\n`);
		// Vite restarts the server, which closes connections.
		const visitBare = async () => (await fetch(`${dev.url}/products/n3`)).text();
		await expect.poll(visitBare, { interval: 500 }).toContain(markOf(2));
	});
});
