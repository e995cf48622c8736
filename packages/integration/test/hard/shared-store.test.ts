import { setTimeout } from 'node:timers/promises';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, onTestFinished, test } from 'vitest';
import { type BuildProject, cacheWarnings, createProject } from '../support/build/project.js';
import { startRoundRobin } from '../support/build/round-robin.js';
import { expectMarks, markOf, productIds, startService } from '../support/build/service.js';

const PIDS = productIds(100);
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
	const cacheDir = createFolder('shared-store');
	const run = { service: meeting.url, pages: PAGES, options: { products: PIDS, cacheDir } };
	const projects = [0, 1, 2].map(() => createProject('store', run));
	const [one, other, third] = projects as [BuildProject, BuildProject, BuildProject];
	onTestFinished(async () => {
		for (const project of projects) project.remove();
		await meeting.close();
		await service.close();
	});

	const dev = await third.dev();
	onTestFinished(dev.stop);
	let isBuilding = true;
	const builds = Promise.all([one.build(), other.build()]).finally(() => {
		isBuilding = false;
	});
	await Promise.race([both.promise, builds]);
	// A page of the dev server while the builds write, each of another product.
	let visits = 0;
	for (; isBuilding; visits++, await setTimeout(100)) {
		const page = await fetch(`${dev.url}/products/n${(visits % PAGES.length) + 1}`);
		expect(await page.text()).toContain(markOf(visits % PAGES.length));
	}
	expect(visits).toBeGreaterThan(0);
	expect(cacheWarnings(dev.output())).toEqual([]);
	expect(dev.output()).not.toContain('failed');
	const expectWhole = (project: BuildProject, output: string) => {
		expect(output).toContain('100 products');
		expect(cacheWarnings(output)).toEqual([]);
		expectMarks(project, PAGES);
	};
	const [first, second] = await builds;
	expectWhole(one, first);
	expectWhole(other, second);

	service.requests.reset();
	expectWhole(one, await one.build());
	expect(service.requests.count()).toBe(0);
});
