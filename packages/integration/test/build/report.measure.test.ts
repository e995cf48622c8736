import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { productIds } from '../support/build/service.js';
import { startShop } from '../support/build/shop.js';

test('the time that a build reports is that of the reviews: bundling and rendering after them do not count', async () => {
	const pids = productIds(12);
	const { project, service } = await startShop('store', pids, onTestFinished);
	const { status, output } = await project.build({
		service: service.url,
		options: { products: pids },
		pages: pids,
		environment: { FIXTURE_LINGER: '250' },
	});
	expect(status, output).toBe(0);
	const report = join(project.root, '.cache/product-reviews/product-reviews-report.json');
	const { ms, fetchMs } = JSON.parse(readFileSync(report, 'utf8'));
	expect(ms - fetchMs).toBeGreaterThan(12 * 250 - 100);
	expect(output).toContain(`12 products in ${(fetchMs / 1_000).toFixed(1)} s: `);
});
