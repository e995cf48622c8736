import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from 'product-reviews-test-support/node-program';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cacheWarnings } from '../support/build/project.js';
import { expectMarks, productIds, startShop } from '../support/build/service.js';

const PIDS = productIds(800);
const PAGES = PIDS.slice(0, 20);
/** Products that one transaction writes, and those that are asked for ahead: a busy build has not taken their answers yet. */
const MOST_LOST = 100 + 256;
test('a build that is killed in the middle loses next to nothing: the next one asks for the rest and is whole', async () => {
	const { project, service } = await startShop('store', PIDS, { pages: PAGES, atEnd: onTestFinished });
	service.faults.add({ kind: 'latency', ms: 40 });
	const asked = () => service.requests.all.flatMap(({ pids }) => pids);

	const killed = project.start(['build']);
	await vi.waitUntil(() => service.requests.count() >= 600, { timeout: 60_000, interval: 5 });
	expect(await killed.end('SIGKILL')).toBe('SIGKILL');
	expect(cacheWarnings(killed.output())).toEqual([]);
	const before = new Set(asked());

	service.requests.reset();
	expect(cacheWarnings(await project.build())).toEqual([]);
	expect(asked().filter((pid) => before.has(pid)).length).toBeLessThanOrEqual(MOST_LOST);
	expect(new Set(asked()).size).toBe(asked().length);
	expect(new Set([...before, ...asked()])).toEqual(new Set(PIDS));
	expectMarks(project, PAGES);

	service.requests.reset();
	expect(await project.build()).toContain('800 products from the cache: 800 unchanged');
	expect(service.requests.count()).toBe(0);
});

test('200 products from a service that fails for one request in eight: none is missing, at most 1.3 requests each', async () => {
	const pids = PIDS.slice(0, 200);
	const { project, service } = await startShop('store', pids, { pages: PAGES, atEnd: onTestFinished });
	// Delays add up: any up to 242 ms, each as likely as another.
	for (const ms of [124, 62, 31, 16, 9]) service.faults.add({ kind: 'latency', ms, probability: 0.5 });
	service.faults.add({ kind: 'reset', probability: 0.05 });
	service.faults.add({ kind: 'status', status: 500, probability: 0.05 });
	service.faults.add({ kind: 'status', status: 429, probability: 0.02 });
	service.faults.add({ kind: 'trickle', ms: 100, probability: 0.01 });
	const run = { options: { concurrency: 32, timeout: '2s' } };

	const output = await project.build(run);
	expect(output).toContain(' s: 200 fetched\n');
	expect(output).not.toContain('The service failed');
	expectMarks(project, PAGES);
	expect(service.requests.count()).toBeLessThanOrEqual(1.3 * pids.length);
	expect(service.requests.maxInFlight).toBeLessThanOrEqual(32);

	service.requests.reset();
	expect(await project.build(run)).toContain('200 products from the cache: 200 unchanged');
	expect(service.requests.count()).toBe(0);
});

/** Calls Astro's build() as a program of one's own does, and says what came of it. */
const PROGRAM = `
import { build } from 'astro';
console.log(await build({ logLevel: 'error' }).then(() => 'built', () => 'rejected'));
`;

/** @param latency of the service, in milliseconds. @param pages of the site's own, by their names */
async function run(latency: number, pages: Readonly<Record<string, string>> = {}) {
	const setup = { latency, pages: [], options: { timeout: '5m' }, atEnd: onTestFinished };
	const { project } = await startShop('store', productIds(20), setup);
	writeFileSync(join(project.root, 'program.mjs'), PROGRAM);
	for (const [name, text] of Object.entries(pages))
		writeFileSync(join(project.root, 'src/pages', name), text);
	const { environment } = project.buildCommand();
	const program = runNode(['program.mjs'], { cwd: project.root, env: environment });
	const timer = setTimeout(() => program.end('SIGKILL'), 60_000);
	const status = await program.ended;
	clearTimeout(timer);
	return [status, program.printed()];
}

test('a build that a page ends lets the process end, though the service still owes reviews', async () => {
	const broken = "---\nthrow new Error('broken');\n---\n";
	expect(await run(200_000, { 'broken.astro': broken })).toEqual([0, 'rejected\n']);
});

test('a build that has nothing else to do waits for the service', async () => {
	expect(await run(1_500)).toEqual([0, 'built\n']);
});
