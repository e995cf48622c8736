import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from 'product-reviews-sandbox';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';
import { markOf, productIds, startService } from '../support/build/service.js';

const PIDS = productIds(20);
let project: BuildProject;
let service: Sandbox;

beforeEach(async () => {
	project = createProject('store');
	service = await startService(PIDS);
});

afterEach(async () => {
	project.remove();
	await service.close();
});

test('a list from an async generator, with duplicates and without a product that a page shows', async () => {
	const { status, output } = await project.build({
		service: service.url,
		options: { products: 'generated' },
		pages: PIDS,
	});

	expect(status).toBe(0);
	expect(output).toContain('The product list contains 1 product more than once: "p-2"');
	expect(output).toContain('Pages asked for 1 product missing from the product list: "p-20"');
	expect(project.read('products/n20/index.html')).toContain(markOf(19));
	expect(service.requests.count()).toBe(20);
});

test('no list: what pages ask for is fetched, each product once', async () => {
	const { status, output } = await project.build({ service: service.url, pages: PIDS.slice(0, 5) });

	expect(output).toContain('5 products');
	expect(status).toBe(0);
	expect(project.read('products/n5/index.html')).toContain(markOf(4));
	expect(service.requests.count()).toBe(5);
});

test('the settings come from the project’s .env files, that of the mode before the common one', async () => {
	writeFileSync(join(project.root, '.env'), 'REVIEWS_BASE_URL=http://127.0.0.1:9\nREVIEWS_WSID=W-1001\n');
	writeFileSync(join(project.root, '.env.production'), `REVIEWS_BASE_URL=${service.url}\n`);

	const { status, output } = await project.build({ options: { products: PIDS }, pages: PIDS });

	expect(output).toContain('20 fetched');
	expect(status).toBe(0);
});
