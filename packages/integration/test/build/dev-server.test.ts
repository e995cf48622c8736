import type { ChildProcess } from 'node:child_process';
import type { Sandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type BuildProject, createProject } from '../support/build-project.js';
import { markOf, productIds, startService } from '../support/build-service.js';

const PIDS = productIds(30);
let project: BuildProject;
let service: Sandbox;
let server: ChildProcess;
let output = '';
let url: string;

beforeAll(async () => {
	project = createProject('store');
	service = await startService(PIDS);
	server = project.start(['dev', '--host', '127.0.0.1', '--port', '0'], {
		service: service.url,
		options: { products: PIDS, maxAge: 0, retries: 0 },
		config: { cacheDir: '.cache', devToolbar: { enabled: false } },
		pages: PIDS,
	});
	for (const stream of [server.stdout, server.stderr]) {
		stream?.on('data', (chunk) => {
			output += chunk;
		});
	}
	await vi.waitUntil(() => /http:\/\/127\.0\.0\.1:\d+/.test(output), { timeout: 60_000 });
	url = /http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0] ?? '';
});

afterAll(async () => {
	const ended = new Promise((resolve) => server.once('close', resolve));
	server.kill('SIGTERM');
	await ended;
	project.remove();
	await service.close();
});

const visit = async (path: string) => (await fetch(`${url}${path}`)).text();

test('only what a page shows is fetched, and a new review shows on the next visit', async () => {
	expect(service.requests.count()).toBe(0);

	expect(await visit('/products/n3')).toContain(markOf(2));
	const asked = new Set(service.requests.all.flatMap(({ pids }) => pids));
	expect(asked).toEqual(new Set(['p-3']));

	service.store.createReview('p-3', { rating: 5, body: 'A new one.', author: 'Ada', status: 'published' });
	expect(await visit('/products/n3')).toContain('A new one.');
});

test('a failure of the service is a warning; the page shows what is stored, or goes without', async () => {
	service.faults.add({ kind: 'status', status: 500 });
	expect(await visit('/products/n3')).toContain(markOf(2));
	expect(await visit('/products/n5')).toContain('After the reviews.');
	// What the server prints may come after what it answers.
	await vi.waitUntil(() => output.includes('The service failed for the product "p-5"; nothing is shown.'));
	expect(output).toContain('The service failed for the product "p-3"; stored reviews are shown.');
});
