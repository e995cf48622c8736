import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { lockOutput } from '../../src/build/lock-output.js';
import { STORE_FILE } from '../../src/constants.js';
import { startPublish } from '../support/build/publish.js';
import { createPublishedSite, expectSame } from '../support/build/published-site.js';
import { productIds, startService } from '../support/build/service.js';

const PIDS = productIds(3);
const WAITS = /Waiting for another build or publish to finish with the output folder/;
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

test('builds and publishes wait for each other', async () => {
	const service = await startService(PIDS);
	const site = createPublishedSite('published-store', service, PIDS);
	cleanups.push(service.close, site.project.remove);
	const storeFile = join(site.project.root, '.cache/product-reviews', STORE_FILE);
	const lock = () => lockOutput({ storeFile, outDir: '../../dist', patience: 0, onWait: () => {} });
	const publish = () => startPublish(site.project, ['p-1'], { REVIEWS_TOKEN: service.token });
	const build = () => site.start({ options: { revalidate: 'always' } });
	await site.build();

	// Whoever comes while somebody else has the folder waits for it.
	const unlock = await lock();
	service.store.createReview('p-1', { rating: 1, author: 'A', body: 'News' });
	const waiting = [publish(), build(), publish()];
	for (const { says } of waiting) await says(WAITS);
	unlock?.();
	for (const { ended, output } of waiting) expect(await ended, output()).toBe(0);

	// And has it while it asks the service.
	service.faults.add({ kind: 'latency', ms: 3_000 });
	for (const start of [publish, build]) {
		service.requests.reset();
		const { ended, output } = start();
		await expect.poll(() => service.requests.count()).toBeGreaterThan(0);
		expect(await lock()).toBeUndefined();
		expect(await ended, output()).toBe(0);
		(await lock())?.();
	}
	service.faults.clear();
	expectSame(site.files(), await site.buildAnew());
});
