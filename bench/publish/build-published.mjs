import { join } from 'node:path';
import { buildSite } from '../build-site.mjs';
import { CONCURRENCY } from '../scenarios.mjs';

/** Where the site of this many products is built. */
const folderOf = (folder, products) => join(folder, 'built', `publish-${products}`);

/** Builds the site once, with everything noted that a publish needs. */
export async function buildPublished({ folder, service, products }) {
	const built = folderOf(folder, products);
	await run({ folder, service, products, keeps: false });
	return { root: folder, dist: join(built, 'dist'), cache: join(built, 'cache/product-reviews') };
}

/** Changes a review, and builds the site again: Astro takes all other pages from its cache. */
export async function rebuildPublished({ folder, service, products }) {
	// The first build after publishes renders what they changed.
	await run({ folder, service, products, keeps: true });
	await service.change();
	return run({ folder, service, products, keeps: true, changed: await service.changing() });
}

function run({ folder, service, products, keeps, changed }) {
	const project = {
		root: folder,
		site: 'publish',
		folder: folderOf(folder, products),
		keepsCache: keeps,
		keepsPages: keeps,
	};
	return buildSite(project, {
		products,
		nodeFlags: [],
		environment: {
			REVIEWS_BASE_URL: service.url,
			REVIEWS_WSID: 'W-1001',
			...(changed && { REVIEWS_CHANGED: changed }),
			BENCH_OPTIONS: JSON.stringify({ concurrency: CONCURRENCY, maxAge: '7d' }),
			BENCH_INCREMENTAL: '1',
		},
	});
}
