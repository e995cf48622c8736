import { fileURLToPath, pathToFileURL } from 'node:url';
import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { runNode } from 'product-reviews-test-support/node-program';
import { expect, onTestFinished, test } from 'vitest';
import { productIds, publish, startShop, TOKEN } from '../support/build/service.js';

/** Says at the end of a program how much memory it took at most. */
const HOOK = fileURLToPath(new URL('../support/unit/say-memory.mjs', import.meta.url));
const environment = { NODE_OPTIONS: `--import=${pathToFileURL(HOOK)}` };

const mostOf = (errors: string) =>
	Math.max(...[...errors.matchAll(/^MEMORY (\d+)$/gm)].map(([, text]) => Number(text)));

test('to update a product takes little more memory than an empty program', async () => {
	const setup = { environment: TOKEN, atEnd: onTestFinished };
	const { project, service } = await startShop('incremental-store', productIds(4), setup);
	await project.build();
	publish(service, 'p-4', 'News');
	const updated = await project.update(['p-4'], environment);
	expect(updated.status, updated.errors).toBe(0);
	const empty = runNode(['--eval', ''], { env: { ...cleanEnvironment(), ...environment } });
	expect(await empty.ended).toBe(0);
	const reference = mostOf(empty.errors());
	expect(reference).toBeGreaterThan(10_000);
	expect(mostOf(updated.errors)).toBeLessThan(3.3 * reference);
});
