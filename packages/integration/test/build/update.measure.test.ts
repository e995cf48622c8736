import { fileURLToPath, pathToFileURL } from 'node:url';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { runNode } from 'product-reviews-test-support/node-program';
import { expect, onTestFinished, test } from 'vitest';
import { productIds, startService } from '../support/build/service.js';
import { createUpdatedSite } from '../support/build/updated-site.js';

/** Says at the end of a program how much memory it took at most. */
const HOOK = fileURLToPath(new URL('../support/unit/say-memory.mjs', import.meta.url));
const environment = { NODE_OPTIONS: `--import=${pathToFileURL(HOOK)}` };

const mostOf = (errors: string) =>
	Math.max(...[...errors.matchAll(/^MEMORY (\d+)$/gm)].map(([, text]) => Number(text)));

test('to update a product takes little more memory than an empty program', async () => {
	const pids = productIds(4);
	const service = await startService(pids);
	const site = createUpdatedSite('incremental-store', service, pids);
	onTestFinished(service.close);
	onTestFinished(site.project.remove);
	await site.build();
	service.store.createReview('p-4', { rating: 1, author: 'A', body: 'News', title: 'News' });
	const updated = await site.update(['p-4'], environment);
	expect(updated.status, updated.errors).toBe(0);
	const empty = runNode(['--eval', ''], { env: { ...cleanEnvironment(), ...environment } });
	expect(await empty.ended).toBe(0);
	const reference = mostOf(empty.errors());
	expect(reference).toBeGreaterThan(10_000);
	expect(mostOf(updated.errors)).toBeLessThan(3.3 * reference);
});
