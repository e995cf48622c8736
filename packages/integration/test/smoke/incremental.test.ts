import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { expectSame } from '../support/build/project.js';
import { editReviews, productIds, publish, startShop } from '../support/build/service.js';

const PIDS = productIds(5);
const EVERYTHING = [...PIDS.map((pid) => `products/${pid}`), 'stars', 'own-markup', 'plain'].toSorted();
const { project, service } = await startShop('incremental-store', PIDS, {
	// One that the service does not know has no validators.
	options: { products: [...PIDS, 'empty', 'unknown'], revalidate: 'always' },
	config: { experimental: { incrementalBuild: true } },
});
service.store.addProduct({ pid: 'empty', name: 'Without reviews' });

/** Builds. @returns the pages that were rendered, and what the service answered */
async function build(options: Record<string, unknown> = {}) {
	service.requests.reset();
	const output = await project.build({ options });
	const lines = output.split('\n').filter((line) => line.includes('├─') || line.includes('└─'));
	const isRendered = (page: string) =>
		lines.some((line) => line.includes(`/${page}/index.html`) && !/\((?:cached|restored)\)/.test(line));
	const answers: Record<number, number> = {};
	for (const { status = 0 } of service.requests.all) answers[status] = (answers[status] ?? 0) + 1;
	return { output, rendered: EVERYTHING.filter(isRendered), answers };
}

test('exactly the pages that show what changed are rendered again, and only that is sent again', async () => {
	const first = await build();
	expect(first.rendered).toEqual(EVERYTHING);
	expect(first.answers).toEqual({ 200: 6, 404: 1 });

	editReviews(service, 'p-2', 'Another text');
	const second = await build();
	expect(second.rendered).toEqual(['own-markup', 'products/p-2']);
	expect(second.answers).toEqual({ 200: 1, 304: 5, 404: 1 });
	for (const page of second.rendered) expect(project.read(`${page}/index.html`)).toContain('Another text');

	publish(service, 'p-3', 'New text');
	const third = await build();
	expect(third.rendered).toEqual(['products/p-3', 'stars']);
	expect(third.output).toContain('6 of 8 with a cacheKey reused, 2 changed');
	expect(project.read('products/p-3/index.html')).toContain('New text');
});

test('the site is that of a full build, also where a cache is lost', async () => {
	const full = await project.buildAnew();
	expectSame(project.contents(), full);
	for (const lost of ['incremental-build.json', 'product-reviews']) {
		rmSync(join(project.root, '.cache', lost), { recursive: true });
		expect((await build()).rendered).toEqual(EVERYTHING);
		expectSame(project.contents(), full);
	}
});

test('an option that changes what pages show renders them again', async () => {
	expect((await build({ labels: { rating: '{rating} of 5' } })).rendered).toEqual(EVERYTHING);
});
