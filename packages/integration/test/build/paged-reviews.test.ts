import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { publish, startShop, TOKEN } from '../support/build/service.js';

const REVIEWS = 5_000;
const PER_PAGE = 50;

test('a product with 5,000 reviews has a hundred pages, none of which is large', async () => {
	const { project: site, service } = await startShop('listed-store', ['p-1'], {
		atEnd: onTestFinished,
		environment: { ...TOKEN, FIXTURE_PER_PAGE: String(PER_PAGE) },
		pages: ['p-1'],
	});
	for (let number = 0; number < REVIEWS - 2; number++) publish(service, 'p-1', `Body ${number}. `.repeat(10));
	const startedAt = performance.now();
	await site.build();
	const seconds = (performance.now() - startedAt) / 1_000;
	const sizes = Array.from(
		{ length: REVIEWS / PER_PAGE },
		(_, at) => statSync(join(site.root, `dist/reviews/p-1/${at + 1}/index.html`)).size,
	);
	console.log(
		`${sizes.length} pages of ${Math.min(...sizes)} to ${Math.max(...sizes)} bytes in ${seconds.toFixed(1)} s`,
	);
	expect(sizes).toHaveLength(100);
	expect(Math.max(...sizes)).toBeLessThan(100_000);
});
