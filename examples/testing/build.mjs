import { build } from 'astro';
import { startSandbox } from 'product-reviews-sandbox';
import { products } from './src/products.mjs';

/** Shown in previews, which have no access to the review service. */
const REVIEWS = [
	{ rating: 4, author: 'Preview', title: 'Not a real review', body: 'A text of the usual length.' },
];

const sandbox = process.env.REVIEWS_BASE_URL
	? undefined
	: await startSandbox({
			seed: false,
			products: products.map(({ id, name }) => ({ pid: id, name, reviews: REVIEWS })),
		});
if (sandbox) {
	process.env.REVIEWS_BASE_URL = sandbox.url;
	process.env.REVIEWS_WSID = sandbox.wsid;
	process.env.REVIEWS_TOKEN = sandbox.token;
}
try {
	await build({});
} finally {
	await sandbox?.close();
}
