import { cleanEnvironment } from 'product-reviews-test-support/astro';
import { runNode } from 'product-reviews-test-support/node-program';
import { expect, onTestFinished, test } from 'vitest';
import { productIds, publish, startShop, TOKEN } from '../support/build/service.js';

/** Makes a program load a file first. */
const loading = (file: URL) => ({ NODE_OPTIONS: `--import=${file}` });

test('the time that a build reports is that of the reviews: bundling and rendering after them do not count', async () => {
	const { project } = await startShop('store', productIds(12), {
		environment: { FIXTURE_LINGER: '250' },
		atEnd: onTestFinished,
	});
	const output = await project.build();
	const { ms, fetchMs } = project.report();
	expect(ms - fetchMs).toBeGreaterThan(12 * 250 - 100);
	expect(output).toContain(`12 products in ${(fetchMs / 1_000).toFixed(1)} s: `);
});

const mostOf = (errors: string) =>
	Math.max(...[...errors.matchAll(/^MEMORY (\d+)$/gm)].map(([, text]) => Number(text)));

test('to update a product takes little more memory than an empty program', async () => {
	// Says at the end of a program how much memory it took at most.
	const environment = loading(new URL('../support/unit/say-memory.mjs', import.meta.url));
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

test('that pages can be updated takes an unchanged build of 2,000 pages at most 3 % more', async () => {
	// Says at the end how long a build kept its pages.
	const environment = loading(new URL('../support/unit/say-page-time.mjs', import.meta.url));
	const setup = { environment, atEnd: onTestFinished };
	const { project, service } = await startShop('store', productIds(2_000), setup);
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

test('a slow service, nothing stored: five or six of six requests are in flight most of the time', async () => {
	const concurrency = 6;
	const { project, service } = await startShop('store', productIds(200), { atEnd: onTestFinished });
	// So slow that what the machine does besides counts for little.
	service.faults.add({ kind: 'latency', ms: 200 });
	await project.build({ options: { concurrency } });
	expect(service.requests.maxInFlight).toBe(concurrency);
	/** Milliseconds in which at least so many requests were in flight. */
	const time = (least: number) =>
		Object.entries(service.requests.inFlightTimes)
			.filter(([number]) => Number(number) >= least)
			.reduce((sum, [, milliseconds]) => sum + milliseconds, 0);
	expect(time(concurrency - 1)).toBeGreaterThan(0.7 * time(1));
});
