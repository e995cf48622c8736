import { runNode } from 'product-reviews-test-support/node-program';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { AstroRun } from '../support/build/project.js';
import { markOf, productIds } from '../support/build/service.js';
import { type Shop, startShop } from '../support/build/shop.js';
import { CLI } from '../support/cli/command.js';

const PIDS = productIds(12);
let { project, service } = {} as Shop;

beforeEach(async () => {
	({ project, service } = await startShop('store', PIDS, onTestFinished));
});

const runOf = (options: AstroRun['options'] = { products: PIDS }): AstroRun => ({
	service: service.url,
	options: { retries: 0, ...options },
	pages: PIDS,
});

/** Starts the real command with what a build gets. */
function start(args: readonly string[], options?: AstroRun['options'], input?: string) {
	const { environment } = project.buildCommand(runOf(options));
	const program = runNode([CLI, 'update', '--cache-only', ...args], {
		cwd: project.root,
		env: environment,
		stdio: 'pipe',
	});
	program.child.stdin?.on('error', () => {}).end(input);
	return program;
}

/** Runs it to its end. @returns what it says for programs, and the products that it asked the service for */
async function refresh(...given: Parameters<typeof start>) {
	service.requests.reset();
	const [args, ...others] = given;
	const program = start(['--json', ...args], ...others);
	const status = await program.ended;
	const { totals, failed } = JSON.parse(program.printed() || '{}');
	return { status, totals, failed, asked: asked(), errors: program.errors() };
}

const asked = () => service.requests.all.flatMap(({ pids }) => pids).toSorted();

test('fills an empty store, asks for what is named however fresh it is, and the build after it asks for nothing', async () => {
	const filled = await refresh([]);
	expect(filled.status, filled.errors).toBe(0);
	expect(filled.totals).toMatchObject({ products: 12, fetched: 12, failed: 0 });
	expect(filled.asked).toEqual(PIDS.toSorted());
	expect(await refresh([])).toMatchObject({ status: 0, asked: [], totals: { unchanged: 12 } });

	const [review] = service.store.listReviews({ pid: 'p-3' });
	service.store.editReview(review?.id ?? '', { body: 'A text that was not there before.' });
	expect(await refresh(['p-3'])).toMatchObject({ status: 0, asked: ['p-3'], totals: { fetched: 1 } });
	expect(await refresh(['-'], undefined, 'p-4\np-5\n')).toMatchObject({ status: 0, asked: ['p-4', 'p-5'] });

	// A product for which the service fails keeps what is stored, and is named.
	service.faults.add({ kind: 'status', status: 500, pid: 'p-6', operation: 'crawlerReviews' });
	const failed = await refresh(['--all']);
	expect(failed).toMatchObject({ status: 1, asked: PIDS.toSorted(), totals: { stale: 1, failed: 0 } });
	expect(failed.failed).toMatchObject([{ pid: 'p-6' }]);
	expect(failed.errors).toContain('p-6');

	service.requests.reset();
	const built = await project.build(runOf());
	expect(built.status, built.output).toBe(0);
	expect(asked()).toEqual([]);
	for (const [index, text] of [
		[3, 'A text that was not there before.'],
		[6, markOf(5)],
		[7, markOf(6)],
	])
		expect(project.read(`products/n${index}/index.html`)).toContain(text);
});

test('without a product list it asks for what the store has; where that is nothing, it says what to do', async () => {
	const program = start([], {});
	expect(await program.ended).toBe(1);
	expect(program.errors()).toContain('the cache has no products, and the option "products" is not set');
	await refresh(['p-1', 'p-2'], {});
	expect(await refresh(['--all'], {})).toMatchObject({ status: 0, asked: ['p-1', 'p-2'] });
});

test('one that is killed loses nothing but what was under way', async () => {
	service.faults.add({ kind: 'latency', ms: 300, operation: 'crawlerReviews' });
	const program = start([], { products: PIDS, concurrency: 1 });
	await expect.poll(() => service.requests.count(), { interval: 20 }).toBeGreaterThanOrEqual(8);
	await program.end('SIGKILL');
	service.faults.clear();
	const { status, asked: rest } = await refresh([]);
	expect(status).toBe(0);
	expect(rest.length).toBeLessThan(PIDS.length);
	expect(rest).toContain('p-12');
});
