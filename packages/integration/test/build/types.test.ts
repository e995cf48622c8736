import { expect, test } from 'vitest';
import { IN_TEST, startShop } from '../support/build/service.js';

test('entries of a collection, own markup and attributes of components are typed: astro check finds nothing', async () => {
	const { project } = await startShop('reviews-collection', ['p-1'], IN_TEST);
	const { status, output } = await project.check();
	expect(output).toContain('0 errors');
	expect(status, output).toBe(0);
});
