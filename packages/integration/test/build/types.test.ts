import { expect, onTestFinished, test } from 'vitest';
import { startShop, TOKEN } from '../support/build/service.js';

test('entries of a collection, own markup and attributes of components are typed: astro check finds nothing', async () => {
	const setup = { environment: TOKEN, atEnd: onTestFinished };
	const { project } = await startShop('reviews-collection', ['p-1'], setup);
	await project.build();
	const { status, output } = await project.check('--noSync');
	expect(output).toContain('0 errors');
	expect(status, output).toBe(0);
});
