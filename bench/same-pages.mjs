import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Checks that two sites are the same, by the first pages and the last one: a ratio says nothing otherwise.
 * @throws Error names a page that differs.
 */
export function assertSamePages(folder, products) {
	const page = (site, pid) =>
		readFileSync(join(folder, 'built', site, 'dist/products', pid, 'index.html'), 'utf8');
	for (const number of [1, 2, 3, 4, 5, products]) {
		const pid = `p-${Math.min(number, products)}`;
		if (page('baked', pid) !== page('integration', pid))
			throw new Error(`The page of ${pid} is another in the baked site than with the integration.`);
	}
}
