import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProductReviewsUserOptions } from '../../../src/options/schema.js';

/** The integration's option in these projects. */
const CACHE_DIR = 'store';

const OPTIONS = { baseUrl: 'https://reviews.example', wsid: 'W-1001', cacheDir: CACHE_DIR };

export const CACHE_FILE = `${CACHE_DIR}/reviews-v8.db`;
export const REPORT_FILE = `${CACHE_DIR}/product-reviews-report.json`;

/** Writes the configuration of a project that nothing was built in. @param root its folder, which is there */
export function createProject(root: string, options: ProductReviewsUserOptions): void {
	const integration = new URL('../../../dist/index.js', import.meta.url);
	const site = JSON.stringify({ site: 'https://shop.example', cacheDir: './cache' });
	const given = JSON.stringify({ ...OPTIONS, ...options });
	const text = `import reviews from '${integration}';\nexport default { ...${site}, integrations: [reviews(${given})] };`;
	writeFileSync(join(root, 'astro.config.mjs'), text);
}
