import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { runNode } from 'product-reviews-test-support/node-program';
import { expect, onTestFinished, test } from 'vitest';
import { IN_TEST, productIds, publish, startShop } from '../support/build/service.js';

/** Makes a program load a file first. */
const loading = (file: URL) => ({ NODE_OPTIONS: `--import=${file}` });

test('the time that a build reports is that of the reviews: bundling and rendering after them do not count', async () => {
	const { project } = await startShop('store', productIds(4), {
		environment: { FIXTURE_LINGER: '250' },
		atEnd: onTestFinished,
	});
	const output = await project.build();
	const { ms, fetchMs } = project.report();
	expect(ms - fetchMs).toBeGreaterThan(4 * 250 - 100);
	expect(output).toContain(`4 products in ${(fetchMs / 1_000).toFixed(1)} s: `);
});

const mostOf = (errors: string) =>
	Math.max(...[...errors.matchAll(/^MEMORY (\d+)$/gm)].map(([, text]) => Number(text)));

test('to update a product takes little more memory than an empty program', async () => {
	// Says at the end of a program how much memory it took at most.
	const environment = loading(new URL('../support/unit/say-memory.mjs', import.meta.url));
	const { project, service } = await startShop('incremental-store', productIds(4), IN_TEST);
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
