import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sandbox } from 'product-reviews-sandbox';
import { SECRET, send } from 'product-reviews-test-support/signing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type BuiltServer, startBuiltServer } from '../support/build/built-server.js';
import { startDeployHook, type TestDeployHook } from '../support/build/deploy-hook.js';
import { type BuildProject, createProject } from '../support/build/project.js';
import { markOf, productIds, startService } from '../support/build/service.js';
import { signedEvent } from '../support/signed-event.js';

const PIDS = productIds(8);
const PATH = '/api/reviews/webhook';
/** From the edit to the page, in milliseconds: a second, unless the machine is busy. */
const LONGEST_WAY = 5_000;
let project: BuildProject;
let service: Sandbox;
let hook: TestDeployHook;
let server: BuiltServer;

const environment = () => ({
	REVIEWS_BASE_URL: service.url,
	REVIEWS_WSID: 'W-1001',
	REVIEWS_WEBHOOK_SECRET: SECRET,
	DEPLOY_HOOK_URL: `${hook.url}/hook`,
});

beforeAll(async () => {
	service = await startService(PIDS);
	hook = await startDeployHook();
	project = createProject('on-demand-store');
	const { status, output } = await project.build({
		service: service.url,
		pages: PIDS,
		options: { products: PIDS, webhook: { publish: true, deployHookEnv: 'DEPLOY_HOOK_URL' } },
	});
	expect(status, output).toBe(0);
});

beforeEach(async () => {
	hook.calls.length = 0;
	server = await startBuiltServer(project.root, environment());
});

afterEach(async () => {
	service.faults.clear();
	await server.stop();
});

afterAll(async () => {
	project.remove();
	hook.close();
	await service.close();
});

const text = async (path: string) => (await fetch(server.url + path)).text();
const receive = (pid?: string) => send(server.url + PATH, signedEvent(pid));
const built = (pid: string) => project.read(`client/baked/${pid}/index.html`);

function edit(pid: string, body: string): void {
	for (const { id } of service.store.listReviews({ pid })) service.store.editReview(id, { body });
}

describe('a server that publishes into its own pages', () => {
	test('shows a review a moment after its event, on prerendered pages and on those rendered on demand', async () => {
		expect(await text('/baked/p-1')).toContain(markOf(0));
		expect(await text('/live/p-1')).toContain(markOf(0));
		const startedAt = performance.now();
		edit('p-1', 'Just published.');
		expect(await receive('p-1')).toBe(202);
		expect(await text('/baked/p-1')).toContain('Just published.');
		const took = performance.now() - startedAt;
		console.log(`From the edit to the prerendered page: ${took.toFixed(0)} ms`);
		expect(took).toBeLessThan(LONGEST_WAY);
		expect(await text('/live/p-1')).toContain('Just published.');
		expect(await text('/baked/p-2')).toContain(markOf(1));
		expect(server.log()).toMatch(/Published: 1 file changed in \d\.\d\d s\./);
		expect(hook.calls).toEqual([]);
	});

	test('brings what comes during a publish onto the pages with one more', async () => {
		service.faults.add({ operation: 'crawlerReviews', pid: 'p-2', kind: 'latency', ms: 1_500 });
		for (const pid of ['p-2', 'p-3', 'p-4', 'p-5']) edit(pid, `New of ${pid}.`);
		const first = receive('p-2');
		await expect.poll(() => service.requests.inFlight, { interval: 5 }).toBe(1);
		expect(await Promise.all([first, receive('p-3'), receive('p-4'), receive('p-5')])).toEqual(
			Array(4).fill(202),
		);
		for (const pid of ['p-2', 'p-3', 'p-4', 'p-5']) expect(built(pid)).toContain(`New of ${pid}.`);
		expect(server.log().match(/Published: \d files? changed/g)).toEqual([
			'Published: 1 file changed',
			'Published: 3 files changed',
		]);
	});

	test('has the sender try again while the service fails, and leaves the page as it is', async () => {
		service.faults.add({ operation: 'crawlerReviews', pid: 'p-6', kind: 'status', status: 403 });
		edit('p-6', 'Later.');
		const before = built('p-6');
		expect(await receive('p-6')).toBe(503);
		expect(built('p-6')).toBe(before);
		expect(server.log()).toContain('The service failed for "p-6".');
		service.faults.clear();
		expect(await receive('p-6')).toBe(202);
		expect(built('p-6')).toContain('Later.');
	});

	test('starts a rebuild if a page needs one, and says why', async () => {
		const file = join(project.root, 'dist/client/baked/p-7/index.html');
		const before = readFileSync(file);
		writeFileSync(file, `${before}<!-- by another tool -->`);
		edit('p-7', 'For a rebuild.');
		expect(await receive('p-7')).toBe(202);
		writeFileSync(file, before);
		expect(hook.calls).toEqual(['POST /hook']);
		expect(server.log()).toContain(
			'Left to a rebuild: 1 page, such as /baked/p-7/ (its file was changed after the build).',
		);
	});
});

test('a project that is moved as a whole publishes where it is now', async () => {
	const moved = createProject('on-demand-store', " moved's %41");
	rmSync(moved.root, { recursive: true });
	cpSync(project.root, moved.root, { recursive: true });
	const away = `${project.root}-away`;
	renameSync(project.root, away);
	const other = await startBuiltServer(moved.root, environment());
	try {
		edit('p-8', 'After the move.');
		expect(await send(other.url + PATH, signedEvent('p-8')), other.log()).toBe(202);
		expect(moved.read('client/baked/p-8/index.html')).toContain('After the move.');
	} finally {
		await other.stop();
		renameSync(away, project.root);
		moved.remove();
	}
});
