import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { productIds } from '../support/build/service.js';
import { startShop } from '../support/build/shop.js';

/** Says at the end how long a build kept its pages. */
const HOOK = fileURLToPath(new URL('../support/unit/say-page-time.mjs', import.meta.url));
const PIDS = productIds(2_000);
const { project, service } = await startShop('store', PIDS);

test('that pages can be updated takes an unchanged build of 2,000 pages at most 3 % more', async () => {
	const run = {
		service: service.url,
		options: { products: PIDS },
		pages: PIDS,
		config: { cacheDir: '.cache' },
		environment: { NODE_OPTIONS: `--import=${pathToFileURL(HOOK)}` },
	};
	const build = async () => {
		const startedAt = performance.now();
		const { ended, output, errors } = project.start(['build'], run);
		expect(await ended, output()).toBe(0);
		return { ms: performance.now() - startedAt, kept: Number(/^PAGES (\d+)$/m.exec(errors())?.[1]) };
	};
	await build();
	service.requests.reset();
	const { ms, kept } = await build();
	expect(service.requests.count()).toBe(0);
	expect(kept).toBeGreaterThan(0);
	expect(kept / (ms - kept)).toBeLessThanOrEqual(0.03);
});
