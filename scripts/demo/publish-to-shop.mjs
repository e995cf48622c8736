import { fileURLToPath } from 'node:url';
import { updateReviews } from 'astro-product-reviews/update';
import { PRODUCTS } from '../../playground/src/catalog/products.ts';

const PLAYGROUND = fileURLToPath(new URL('../../playground/', import.meta.url));

/** Files named in the log, and on the service's page. */
const MOST_NAMED = 12;

/**
 * Creates a function that brings the reviews of products into the files of the shop, and builds the shop if that is not
 * enough.
 *
 * @param {object} options
 * @param {() => string} options.outDir folder that visitors see
 * @param {string} options.shop URL without a trailing slash
 * @param {(request: import('product-reviews-webhook').RebuildRequest) => Promise<void>} options.build
 * @param {(note: import('product-reviews-sandbox').NewNote) => void} options.onNote
 * @returns {(request: import('product-reviews-webhook').RebuildRequest) => Promise<void>}
 */
export function publishToShop({ outDir, shop, build, onNote }) {
	return async (request) => {
		const { all, pids, log } = request;
		const startedAt = Date.now();
		const { files, rebuild, failed } = await updateReviews({
			root: PLAYGROUND,
			outDir: outDir(),
			pids: all ? 'all' : pids,
			onWarning: log,
		});
		for (const { page, reason } of rebuild.slice(0, MOST_NAMED)) log(`${page ?? 'All pages'}: ${reason}`);
		if (rebuild.length > 0) await build(request);
		const text = whatChanged(files, rebuild.length > 0);
		const named = ownFirst(files, pids).slice(0, MOST_NAMED);
		log(`${text} in ${((Date.now() - startedAt) / 1_000).toFixed(2)} s`);
		for (const file of named) log(`  ${file}`);

		const lost = new Set(failed.map(({ pid }) => pid));
		for (const pid of pids.filter((each) => !lost.has(each))) {
			const items = ownFirst(files, [pid]).slice(0, MOST_NAMED);
			onNote({ pid, text, startedAt, items: items.map((file) => ({ text: file, url: urlOf(file, shop) })) });
		}
		// The receiver tries again.
		if (failed.length > 0) throw new Error(failed.map(({ pid, reason }) => `${pid}: ${reason}`).join('; '));
	};
}

/**
 * @param {readonly string[]} files
 * @param {boolean} isBuilt
 */
function whatChanged(files, isBuilt) {
	if (isBuilt) return 'The shop was built';
	if (files.length === 0) return 'The shop shows it already';
	return `${files.length} ${files.length === 1 ? 'file' : 'files'} of the shop changed`;
}

/**
 * Puts the products' own pages, which have the whole review, before those that only have its stars.
 *
 * @param {readonly string[]} files
 * @param {readonly string[]} pids
 */
function ownFirst(files, pids) {
	const folders = PRODUCTS.filter(({ pid }) => pids.includes(pid)).map(({ slug }) => `products/${slug}/`);
	const isOwn = (/** @type {string} */ file) => folders.some((folder) => file.startsWith(folder));
	return files.toSorted((one, other) => Number(isOwn(other)) - Number(isOwn(one)));
}

/**
 * @param {string} file
 * @param {string} shop
 */
function urlOf(file, shop) {
	return `${shop}/${file.replace(/(^|\/)index\.html$/, '$1')}`;
}
