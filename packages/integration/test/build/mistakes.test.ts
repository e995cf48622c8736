import { expect, onTestFinished, test } from 'vitest';
import { productIds, removeReviews, startShop, TOKEN } from '../support/build/service.js';

const PIDS = productIds(6);

test('a component that needs a token is named with its page, before the others are rendered', async () => {
	const { project, service } = await startShop('review-section', PIDS, { atEnd: onTestFinished });
	const { status, output } = await project.tryBuild();
	expect(status).toBe(1);
	expect(output).toMatch(
		/<\w+> on "\/[^"]*" needs an access token, and none is set: without one, the service has no photos, topics, questions or full reviews for it\./,
	);
	expect(output).toContain(
		'Set REVIEWS_TOKEN in the environment or in .env, or the option "token" of productReviews(). <ProductReviews> and <ReviewSchema> need none.',
	);
	expect(output).toContain('PR_MISSING_TOKEN');
	expect(output).not.toContain('The service failed');
	expect(service.requests.count({ operation: 'productReviewData' })).toBe(0);
});

test('a build without reviews of any product says so, and so does the next one, which asks for nothing', async () => {
	const { project, service } = await startShop('store', PIDS, { pages: PIDS, atEnd: onTestFinished });
	for (const pid of PIDS) removeReviews(service, pid);
	const none =
		'The service has no reviews of any of the 6 products. Unless the store is new, check the website ID';
	expect(await project.build()).toContain(none);
	service.requests.reset();
	const again = await project.build();
	expect(again).toContain(none);
	expect(again).toContain('6 products from the cache: 6 without reviews');
	expect(service.requests.count()).toBe(0);
	service.store.createReview('p-1', { rating: 5, author: 'First', body: 'Good' });
	expect(await project.update(['p-1'])).toMatchObject({ status: 0 });
	const last = await project.build();
	expect(last).not.toContain(none);
	// The update fetched one, and four that have none are too many to name.
	expect(last).toMatch(/6 products.*: 1 unchanged, 5 without reviews\n/);
});

test('a product whose ID the service does not know is named, in each build', async () => {
	const { project } = await startShop('store', ['p-1'], {
		options: { products: ['p-1', 'SKU-9'] },
		pages: ['p-1', 'SKU-9'],
		atEnd: onTestFinished,
	});
	expect(await project.build()).toContain(': 1 fetched, 1 without reviews ("SKU-9")');
	expect(await project.build()).toContain(
		'2 products from the cache: 1 unchanged, 1 without reviews ("SKU-9")',
	);
});

test('stars of an ID that is in no list and has no rating are named', async () => {
	const { project } = await startShop('store', ['p-1'], {
		options: { products: ['p-1'] },
		pages: ['p-1'],
		environment: TOKEN,
		atEnd: onTestFinished,
	});
	project.change('src/pages/index.astro', (text) =>
		text.replace('<Page title="Products">', '<Page title="Products"><StarRating pid="copper-kettle" />'),
	);
	for (const _build of ['first', 'second'])
		expect(await project.build()).toContain(
			'Pages show stars of 1 product missing from the product list, and without a rating: "copper-kettle". Check whether `pid` is the ID at the review service. [PR_PRODUCT_LIST_DIFFERS]',
		);
});

test('without the integration, a component says in builds and in astro dev what to add', async () => {
	const { project } = await startShop('store', PIDS, { pages: PIDS, atEnd: onTestFinished });
	project.change('astro.config.mjs', (text) => text.replace('[productReviews(options)]', '[]'));
	const built = await project.tryBuild();
	const { url, output, stop } = await project.dev();
	const page = await (await fetch(`${url}/products/n1/`)).text();
	await stop();
	for (const said of [built.output, page + output()]) {
		expect(said).toContain('productReviews() is not in the Astro configuration.');
		expect(said).toContain('add it there: integrations: [productReviews()].');
		expect(said).toContain('PR_INTEGRATION_MISSING');
	}
});

test('a component that is imported from the integration is named with its file, in builds and in astro dev', async () => {
	const { project } = await startShop('store', PIDS, { pages: PIDS, atEnd: onTestFinished });
	project.change('src/pages/index.astro', (text) =>
		text.replace("'astro-product-reviews/components'", "'astro-product-reviews'"),
	);
	const built = await project.tryBuild();
	expect(built.status).toBe(1);
	const { url, output, stop } = await project.dev();
	const page = await (await fetch(url)).text();
	await stop();
	for (const said of [built.output, page + output()]) {
		expect(said).toContain('imports from "astro-product-reviews", which is the integration.');
		expect(said).toContain('Import components from "astro-product-reviews/components"');
	}
	expect(built.output).toContain('index.astro');
	expect(output()).not.toContain('Failed to load source map');
});
