import type { Sandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type BuiltServer, startBuiltServer } from '../support/build/built-server.js';
import { type BuildProject, createProject } from '../support/build/project.js';
import { markOf, productIds, startService } from '../support/build/service.js';

/** How long a page may take while the service hangs, on a machine that is busy with other tests. */
const AT_MOST = 3_000;
/** How long to look for what is to happen. */
const PATIENCE = { timeout: 60_000, interval: 100 };
let project: BuildProject;
let service: Sandbox;
let server: BuiltServer;

beforeAll(async () => {
	service = await startService(productIds(5));
	project = createProject('on-demand-store');
	const { status, output } = await project.build({
		service: service.url,
		options: { onDemand: { fresh: '1s' }, timeout: '30s', retries: 0 },
	});
	expect(status, output).toBe(0);
	server = await startBuiltServer(project.root, { REVIEWS_BASE_URL: service.url, REVIEWS_WSID: 'W-1001' });
});

afterAll(async () => {
	await server?.stop();
	project.remove();
	await service.close();
});

const asked = (pid: string) => service.requests.count({ operation: 'crawlerReviews', pid });

async function visit(path: string): Promise<{ html: string; ms: number }> {
	const start = performance.now();
	const response = await fetch(`${server.url}${path}`, { signal: AbortSignal.timeout(20_000) });
	return { html: await response.text(), ms: performance.now() - start };
}

const untilShown = (path: string, text: string) =>
	vi.waitFor(async () => expect((await visit(path)).html).toContain(text), PATIENCE);

test('a change shows a little later by itself', async () => {
	await untilShown('/live/p-3', markOf(2));
	for (const { id } of service.store.listReviews({ pid: 'p-3' })) {
		service.store.editReview(id, { body: 'Changed since.' });
	}
	await untilShown('/live/p-3', 'Changed since.');
});

test('while the service hangs, pages answer without reviews, and with the last good ones where there are some', async () => {
	await untilShown('/live/p-4', markOf(3));
	service.faults.add({ kind: 'hang' });
	const bare = await visit('/live/p-5');
	expect(bare.html).toContain('</html>');
	expect(bare.html).not.toContain(markOf(4));
	expect(bare.ms).toBeLessThan(AT_MOST);
	// The last good ones are asked for again as soon as they are not fresh.
	const before = asked('p-4');
	await vi.waitFor(async () => {
		const good = await visit('/live/p-4');
		expect(good.html).toContain(markOf(3));
		expect(good.ms).toBeLessThan(AT_MOST);
		expect(asked('p-4')).toBe(before + 1);
	}, PATIENCE);
	// Both hang still.
	expect(service.requests.inFlight).toBeGreaterThanOrEqual(2);
	expect(asked('p-5')).toBe(1);
	service.faults.clear();
	await untilShown('/live/p-1', markOf(0));
});
