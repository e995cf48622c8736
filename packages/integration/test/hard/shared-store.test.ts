import type { AstroResult } from 'product-reviews-test-support/astro';
import { expect, onTestFinished, test } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';
import { startRoundRobin } from '../support/build/round-robin.js';
import { markOf, productIds, startService } from '../support/build/service.js';
import { storeWarnings } from '../support/build/store.js';

const PIDS = productIds(200);
const PAGES = PIDS.slice(0, 20);

test('two builds and a dev server use one store at once', async () => {
	const service = await startService(PIDS, { latency: 30 });
	// Whichever build begins first waits for the other: on a busy machine it could be done before that one looks.
	const both = Promise.withResolvers<void>();
	const paths = new Set<string>();
	const meeting = await startRoundRobin([service.url], (path) => {
		if (paths.has(path)) both.resolve();
		paths.add(path);
		return both.promise;
	});
	const projects = [createProject('store'), createProject('store'), createProject('store')] as const;
	const [one, other, third] = projects;
	onTestFinished(async () => {
		for (const project of projects) project.remove();
		await meeting.close();
		await service.close();
	});
	const run = {
		service: meeting.url,
		options: { products: PIDS, cacheDir: `${third.root}/.store` },
		pages: PAGES,
	};

	const dev = await third.dev(run);
	onTestFinished(dev.stop);
	let isBuilding = true;
	const builds = Promise.all([one.build(run), other.build(run)]).finally(() => {
		isBuilding = false;
	});
	await Promise.race([both.promise, builds]);
	// A page of the dev server while the builds write, each of another product.
	let visits = 0;
	for (; isBuilding; visits++) {
		const page = await fetch(`${dev.url}/products/n${(visits % PAGES.length) + 1}`);
		expect(await page.text()).toContain(markOf(visits % PAGES.length));
	}
	expect(visits).toBeGreaterThan(0);
	expect(storeWarnings(dev.output())).toEqual([]);
	expect(dev.output()).not.toContain('failed');
	const expectWhole = (project: BuildProject, { status, output }: AstroResult) => {
		expect(status, output).toBe(0);
		expect(output).toContain('200 products');
		expect(storeWarnings(output)).toEqual([]);
		for (const index of PAGES.keys())
			expect(project.read(`products/n${index + 1}/index.html`)).toContain(markOf(index));
	};
	const [first, second] = await builds;
	expectWhole(one, first);
	expectWhole(other, second);

	service.requests.reset();
	expectWhole(one, await one.build(run));
	expect(service.requests.count()).toBe(0);
});
