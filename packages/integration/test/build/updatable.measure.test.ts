import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { productIds, startShop } from '../support/build/service.js';

/** Says at the end how long a build kept its pages. */
const HOOK = fileURLToPath(new URL('../support/unit/say-page-time.mjs', import.meta.url));
const environment = { NODE_OPTIONS: `--import=${pathToFileURL(HOOK)}` };
const { project, service } = await startShop('store', productIds(2_000), { environment });

test('that pages can be updated takes an unchanged build of 2,000 pages at most 3 % more', async () => {
	const build = async () => {
		const startedAt = performance.now();
		const { ended, output, errors } = project.start(['build']);
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
