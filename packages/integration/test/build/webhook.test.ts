import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listen } from 'product-reviews-test-support/listen';
import { SECRET, send } from 'product-reviews-test-support/signing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ASTRO_MAJOR, type BuiltServer } from '../support/build/project.js';
import { editReviews, markOf, productIds, startShop } from '../support/build/service.js';
import { signedEvent } from '../support/signed-event.js';

const PIDS = productIds(8);
const PATH = '/api/reviews/webhook';
const HOOK_PATH = '/hooks/canary-hook-4c1d';
const calls: string[] = [];
const hook = await listen(
	createServer(({ method, url }, response) => {
		calls.push(`${method} ${url}`);
		response.end();
	}),
);
const { project, service } = await startShop('on-demand-store', PIDS);
let server: BuiltServer;

afterAll(hook.close);

beforeEach(() => void calls.splice(0));

/** Builds the site and starts its server. @returns what ends it */
async function start(webhook: Record<string, unknown>) {
	await project.build({ options: { webhook: { deployHookEnv: 'DEPLOY_HOOK_URL', ...webhook } } });
	const DEPLOY_HOOK_URL = hook.url + HOOK_PATH;
	server = await project.serve({ REVIEWS_WEBHOOK_SECRET: SECRET, DEPLOY_HOOK_URL });
	return server.stop;
}

const text = async (path: string) => (await fetch(server.url + path)).text();
const receive = (event = signedEvent()) => send(server.url + PATH, event);

describe('a server that calls a deploy hook', () => {
	beforeAll(() => start({}));

	test.runIf(ASTRO_MAJOR > 6)(
		'purges the cached pages that show the product, or all where anything may have changed',
		async () => {
			const visit = async (pid: string) =>
				(await fetch(`${server.url}/kept/${pid}`)).headers.get('x-astro-cache');
			expect([await visit('p-1'), await visit('p-1'), await visit('p-2')]).toEqual(['MISS', 'HIT', 'MISS']);
			expect(await receive(signedEvent('p-1'))).toBe(202);
			expect([await visit('p-1'), await visit('p-2')]).toEqual(['MISS', 'HIT']);
			expect(await receive(signedEvent())).toBe(202);
			expect([await visit('p-1'), await visit('p-2')]).toEqual(['MISS', 'MISS']);
		},
	);
});

describe('a server that publishes into its own pages', () => {
	beforeAll(() => start({ update: true }));

	test('shows a review after its event, on prerendered pages and on those rendered on demand', async () => {
		for (const page of ['baked', 'live']) expect(await text(`/${page}/p-1`)).toContain(markOf(0));
		editReviews(service, 'p-1', 'Just published.');
		expect(await receive(signedEvent('p-1'))).toBe(202);
		for (const page of ['baked', 'live']) expect(await text(`/${page}/p-1`)).toContain('Just published.');
		expect(await text('/baked/p-2')).toContain(markOf(1));
		expect(server.log()).toMatch(/Published: 1 file changed in \d\.\d\d s\./);
		expect(calls).toEqual([]);
	});

	test('updates its own pages after a build into another folder, too', async () => {
		await project.build({ config: { outDir: 'elsewhere', cacheDir: '.elsewhere' } });
		editReviews(service, 'p-3', 'After another build.');
		expect(await receive(signedEvent('p-3'))).toBe(202);
		expect(await text('/baked/p-3')).toContain('After another build.');
		expect(calls).toEqual([]);
	});

	test('starts a rebuild if a page needs one, and says why', async () => {
		const file = join(project.root, 'dist/client/baked/p-7/index.html');
		const before = readFileSync(file, 'utf8');
		writeFileSync(file, before.replaceAll(/data-pr="([^"]*)"/g, "data-pr='$1'"));
		editReviews(service, 'p-7', 'For a rebuild.');
		expect(await receive(signedEvent('p-7'))).toBe(202);
		writeFileSync(file, before);
		expect(calls).toEqual([`POST ${HOOK_PATH}`]);
		expect(server.log()).toContain(
			'Left to a rebuild: 1 page, such as /baked/p-7/ (the html of its components was changed after they wrote it).',
		);
	});
});
