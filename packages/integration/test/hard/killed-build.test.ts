import { existsSync } from 'node:fs';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { afterAll, expect, test, vi } from 'vitest';
import { createProject } from '../support/build/project.js';
import { markOf, productIds, startService } from '../support/build/service.js';
import { storedProducts, storeFileIn, storeWarnings } from '../support/build/store.js';

const PIDS = productIds(1_500);
const PAGES = PIDS.slice(0, 20);
/** Products that one transaction writes, and those that are asked for ahead: a busy build has not taken their answers yet. */
const MOST_LOST = 100 + 256;
const cleanups: (() => unknown)[] = [];

afterAll(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

test('builds that are killed in the middle lose next to nothing: the next one asks for the rest and is whole', async () => {
	const service = await startService(PIDS, { latency: 40 });
	const store = createLastingFolder('store');
	const project = createProject('store');
	cleanups.push(service.close, store.remove, project.remove);
	const run = {
		service: service.url,
		options: { products: PIDS, cacheDir: store.folder },
		config: { cacheDir: '.cache' },
		pages: PAGES,
	};
	const stored = () => (existsSync(storeFileIn(store.folder)) ? storedProducts(store.folder) : []);
	const asked = () => service.requests.all.flatMap(({ pids }) => pids);

	for (const requests of [400, 500, 450]) {
		const before = stored();
		service.requests.reset();
		const killed = project.start(['build'], run);
		await vi.waitUntil(() => service.requests.count() >= requests, { timeout: 60_000, interval: 5 });
		expect(await killed.end('SIGKILL')).toBe('SIGKILL');
		expect(storeWarnings(killed.output())).toEqual([]);
		expect(asked().filter((pid) => before.includes(pid))).toEqual([]);
		expect(stored().length).toBeGreaterThanOrEqual(before.length + requests - MOST_LOST);
	}

	const before = stored();
	service.requests.reset();
	const { status, output } = await project.build(run);
	expect(status, output).toBe(0);
	expect(storeWarnings(output)).toEqual([]);
	expect(asked().sort()).toEqual(PIDS.filter((pid) => !before.includes(pid)).sort());
	for (const [index] of PAGES.entries())
		expect(project.read(`products/n${index + 1}/index.html`)).toContain(markOf(index));
	expect(stored().sort()).toEqual(PIDS.toSorted());
});
