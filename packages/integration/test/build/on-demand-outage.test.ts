import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuiltServer, startBuiltServer } from '../support/build/built-server.js';
import { markOf, productIds } from '../support/build/service.js';
import { startShop } from '../support/build/shop.js';

const { project, service } = await startShop('on-demand-store', productIds(5));
let server: BuiltServer;

beforeAll(async () => {
	const { status, output } = await project.build({
		service: service.url,
		// A page that waited for the service would not come while a test runs.
		options: { onDemand: { maxAge: '1s' }, timeout: '10m', retries: 0 },
	});
	expect(status, output).toBe(0);
	server = await startBuiltServer(project.root, { REVIEWS_BASE_URL: service.url, REVIEWS_WSID: 'W-1001' });
});

afterAll(async () => {
	await server?.stop();
});

const asked = (pid: string) => service.requests.count({ operation: 'crawlerReviews', pid });
const visit = async (path: string) => (await fetch(server.url + path)).text();
const untilShown = (path: string, text: string) =>
	expect.poll(() => visit(path), { interval: 100 }).toContain(text);

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
	expect(bare).toContain('</html>');
	expect(bare).not.toContain(markOf(4));
	// The last good ones are asked for again as soon as they are not fresh.
	const before = asked('p-4');
	await expect
		.poll(
			async () => {
				expect(await visit('/live/p-4')).toContain(markOf(3));
				return asked('p-4');
			},
			{ interval: 100 },
		)
		.toBe(before + 1);
	// Both hang still.
	expect(service.requests.inFlight).toBeGreaterThanOrEqual(2);
	expect(asked('p-5')).toBe(1);
	service.faults.clear();
	await untilShown('/live/p-1', markOf(0));
});
