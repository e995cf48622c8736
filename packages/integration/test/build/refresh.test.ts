import { setTimeout as wait } from 'node:timers/promises';
import type { Sandbox } from 'product-reviews-sandbox';
import { runNode } from 'product-reviews-test-support/node-program';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CLI } from '../../../cli/test/support/command.js';
import { type AstroRun, type BuildProject, createProject } from '../support/build/project.js';
import { productIds, startService } from '../support/build/service.js';

const PIDS = productIds(12);
let service: Sandbox;
let project: BuildProject;

beforeEach(async () => {
	service = await startService(PIDS);
	project = createProject('store');
});

afterEach(async () => {
	project.remove();
	await service.close();
});

const runOf = (options: AstroRun['options'] = { products: PIDS }): AstroRun => ({
	service: service.url,
	options: { retries: 0, ...options },
	pages: PIDS,
});

/** Starts the real command with what a build gets. */
function start(args: readonly string[], options?: AstroRun['options'], input?: string) {
	const { environment } = project.buildCommand(runOf(options));
	const program = runNode([CLI, 'refresh', ...args], { cwd: project.root, env: environment, stdio: 'pipe' });
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

function edit(pid: string, body: string) {
	const [review] = service.store.listReviews({ pid });
	service.store.editReview(review?.id ?? '', { body });
}

test('fills an empty store, so that the build after it asks for nothing', async () => {
	const { status, totals, asked: first, errors } = await refresh([]);
	expect(status, errors).toBe(0);
	expect(totals).toMatchObject({ products: 12, fetched: 12, failed: 0 });
	expect(first).toEqual(PIDS.toSorted());
	expect(await refresh([])).toMatchObject({ status: 0, asked: [], totals: { unchanged: 12 } });

	const built = await project.build(runOf());
	expect(built.status, built.output).toBe(0);
	expect(asked()).toEqual([]);
	expect(project.read('products/n7/index.html')).toContain('Mark 6 of this product.');
});

test('asks for what is named, from arguments or standard input, however fresh it is', async () => {
	await refresh([]);
	edit('p-3', 'A text that was not there before.');
	expect(await refresh(['p-3'])).toMatchObject({ status: 0, asked: ['p-3'], totals: { fetched: 1 } });
	expect(await refresh(['-'], undefined, 'p-4\np-5\n')).toMatchObject({ status: 0, asked: ['p-4', 'p-5'] });
	expect(await refresh(['--all'])).toMatchObject({ status: 0, asked: PIDS.toSorted() });
	await project.build(runOf());
	expect(project.read('products/n3/index.html')).toContain('A text that was not there before.');
});

test('without a product list it asks for what the store has; where that is nothing, it says what to do', async () => {
	const program = start([], {});
	expect(await program.ended).toBe(1);
	expect(program.errors()).toContain('the store has no products, and the option "products" is not set');
	expect(program.errors()).toContain('Set "products", name products, or build once.');
	await refresh(['p-1', 'p-2'], {});
	expect(await refresh(['--all'], {})).toMatchObject({ status: 0, asked: ['p-1', 'p-2'] });
});

test('a product for which the service fails keeps what is stored, and is named', async () => {
	await refresh([]);
	service.faults.add({ kind: 'status', status: 500, pid: 'p-6', operation: 'crawlerReviews' });
	const { status, failed, totals, errors } = await refresh(['--all']);
	expect(status).toBe(1);
	expect(failed).toMatchObject([{ pid: 'p-6' }]);
	expect(totals).toMatchObject({ stale: 1, failed: 0 });
	expect(errors).toContain('p-6');
	await project.build(runOf());
	expect(project.read('products/n6/index.html')).toContain('Mark 5 of this product.');
});

test('one that is killed loses nothing but what was under way', async () => {
	service.faults.add({ kind: 'latency', ms: 300, operation: 'crawlerReviews' });
	const program = start([], { products: PIDS, concurrency: 1 });
	while (service.requests.count() < 8) await wait(20);
	await program.end('SIGKILL');
	service.faults.clear();
	const { status, asked: rest } = await refresh([]);
	expect(status).toBe(0);
	expect(rest.length).toBeLessThan(PIDS.length);
	expect(rest).toContain('p-12');
});
