import { expect, onTestFinished, test } from 'vitest';
import { startShop } from '../support/build/shop.js';

test('entries of a collection, own markup and attributes of components are typed: astro check finds nothing', async () => {
	const { project, service } = await startShop('reviews-collection', ['p-1'], onTestFinished);
	const built = await project.build({
		service: service.url,
		options: { products: ['p-1'] },
		environment: { REVIEWS_TOKEN: service.token },
	});
	expect(built.status, built.output).toBe(0);
	const { status, output } = await project.check('--noSync');
	expect(output).toContain('0 errors');
	expect(status, output).toBe(0);
});
