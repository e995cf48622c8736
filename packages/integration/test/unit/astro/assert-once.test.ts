import { expect, test } from 'vitest';
import { assertOnce } from '../../../src/astro/assert-once.js';

test('a site has the integration once', () => {
	const own = { name: 'astro-product-reviews' };
	expect(() => assertOnce([own, { name: 'sitemap' }])).not.toThrow();
	expect(() => assertOnce([own, { name: 'sitemap' }, own])).toThrow(
		'productReviews() is in the Astro configuration twice.',
	);
});
