import type { Sandbox } from 'product-reviews-sandbox';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { afterEach, expect, test } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';
import { startRoundRobin } from '../support/build/round-robin.js';
import { markOf, productIds, startService } from '../support/build/service.js';
import { storedProducts, storeWarnings } from '../support/build/store.js';

const PIDS = productIds(400);
const PAGES = PIDS.slice(0, 20);
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

function expectWholePages(project: BuildProject) {
	for (const [index] of PAGES.entries())
		expect(project.read(`products/n${index + 1}/index.html`)).toContain(markOf(index));
}

test('two builds and a dev server use one store at once', async () => {
	const service: Sandbox = await startService(PIDS, { latency: 30 });
	// Whichever build begins first waits for the other: on a busy machine it could be done before that one looks.
	const both = Promise.withResolvers<void>();
	const paths = new Set<string>();
	const meeting = await startRoundRobin([service.url], (path) => {
		if (paths.has(path)) both.resolve();
		paths.add(path);
		return both.promise;
	});
	const store = createLastingFolder('store');
	const projects = [createProject('store'), createProject('store'), createProject('store')] as const;
	cleanups.push(meeting.close, service.close, store.remove, ...projects.map((project) => project.remove));
	const run = {
		service: meeting.url,
		options: { products: PIDS, cacheDir: store.folder },
		pages: PAGES,
	};
	const [one, other, third] = projects;

	const dev = await third.dev(run);
	cleanups.unshift(dev.stop);
	const builds = Promise.all([one.build(run), other.build(run)]);
	// A page of the dev server while the builds write, each of another product.
	const visits = [];
	let isBuilding = true;
	builds.finally(() => {
		isBuilding = false;
	});
	await Promise.race([both.promise, builds]);
	for (let index = 0; isBuilding; index = (index + 1) % PAGES.length) {
		const page = await (await fetch(`${dev.url}/products/n${index + 1}`)).text();
		expect(page).toContain(markOf(index));
		visits.push(page);
	}
	const [first, second] = await builds;

	for (const { status, output } of [first, second]) {
		expect(status, output).toBe(0);
		expect(output).toContain('400 products in');
		expect(storeWarnings(output)).toEqual([]);
	}
	expectWholePages(one);
	expectWholePages(other);
	expect(visits.length).toBeGreaterThan(0);
	expect(storeWarnings(dev.output())).toEqual([]);
	expect(dev.output()).not.toContain('failed');
	expect(storedProducts(store.folder).sort()).toEqual(PIDS.toSorted());
});
