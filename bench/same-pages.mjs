import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Checks that the first pages and the last one of two sites are identical: otherwise their ratio would mean nothing.
 * @throws Error that names a page that differs.
 */
export function assertSamePages(folder, products) {
	const page = (site, pid) =>
		readFileSync(join(folder, 'built', site, 'dist/products', pid, 'index.html'), 'utf8');
	for (const number of [1, 2, 3, 4, 5, products]) {
		const pid = `p-${Math.min(number, products)}`;
		if (page('baked', pid) !== page('integration', pid))
			throw new Error(`The page of ${pid} differs between the baked site and the integration.`);
	}
}
