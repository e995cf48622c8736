import { expect, test, vi } from 'vitest';
import { storeWarnings } from '../support/build/project.js';
import { markOf, productIds, startShop } from '../support/build/service.js';

const PIDS = productIds(800);
const PAGES = PIDS.slice(0, 20);
/** Products that one transaction writes, and those that are asked for ahead: a busy build has not taken their answers yet. */
const MOST_LOST = 100 + 256;
const { project, service } = await startShop('store', PIDS, { pages: PAGES });

test('a build that is killed in the middle loses next to nothing: the next one asks for the rest and is whole', async () => {
	service.faults.add({ kind: 'latency', ms: 40 });
	const asked = () => service.requests.all.flatMap(({ pids }) => pids);

	const killed = project.start(['build']);
	await vi.waitUntil(() => service.requests.count() >= 600, { timeout: 60_000, interval: 5 });
	expect(await killed.end('SIGKILL')).toBe('SIGKILL');
	expect(storeWarnings(killed.output())).toEqual([]);
	const before = new Set(asked());

	service.requests.reset();
	expect(storeWarnings(await project.build())).toEqual([]);
	expect(asked().filter((pid) => before.has(pid)).length).toBeLessThanOrEqual(MOST_LOST);
	expect(new Set(asked()).size).toBe(asked().length);
	expect(new Set([...before, ...asked()])).toEqual(new Set(PIDS));
	for (const index of PAGES.keys())
		expect(project.read(`products/n${index + 1}/index.html`)).toContain(markOf(index));

	service.requests.reset();
	expect(await project.build()).toContain('800 products from the store: 800 unchanged');
	expect(service.requests.count()).toBe(0);
});
