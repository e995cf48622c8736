import { expect, onTestFinished, test } from 'vitest';
import { productIds, startShop } from '../support/build/service.js';

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
