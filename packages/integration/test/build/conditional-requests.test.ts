import type { Sandbox } from 'product-reviews-sandbox';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';
import { productIds, startService } from '../support/build/service.js';

const PIDS = productIds(40);
const MARKED = 'A text that was not there before.';
let service: Sandbox;
let project: BuildProject;

beforeEach(async () => {
	service = await startService(PIDS);
	// One that the service does not know has no validators.
	service.store.addProduct({ pid: 'empty', name: 'Without reviews' });
	project = createProject('store');
});

afterEach(async () => {
	project.remove();
	await service.close();
});

/** Builds, and tells what the service answered and how much of it, and the pages. */
async function build() {
	service.requests.reset();
	const { status, output } = await project.build({
		service: service.url,
		options: { products: [...PIDS, 'empty', 'unknown'], revalidate: 'always' },
		pages: PIDS,
	});
	expect(status, output).toBe(0);
	const { all } = service.requests;
	const statuses: Record<number, number> = {};
	for (const { status = 0 } of all) statuses[status] = (statuses[status] ?? 0) + 1;
	const pages = Object.fromEntries(
		project
			.files()
			.filter((path) => path.endsWith('.html'))
			.map((path) => [path, project.read(path)]),
	);
	return { statuses, bytes: all.reduce((sum, { bytes }) => sum + bytes, 0), pages };
}

test('what the service has not changed is not sent again, and the pages stay the same', async () => {
	const first = await build();
	expect(first.statuses).toEqual({ 200: 41, 404: 1 });
	const second = await build();
	expect(second.statuses).toEqual({ 304: 41, 404: 1 });
	expect(second.bytes).toBeLessThan(first.bytes / 4);
	expect(second.pages).toEqual(first.pages);

	const [review] = service.store.listReviews({ pid: 'p-7' });
	service.store.editReview(review?.id ?? '', { body: MARKED });
	const third = await build();
	expect(third.statuses).toEqual({ 200: 1, 304: 40, 404: 1 });
	const changed = Object.keys(third.pages).filter((path) => third.pages[path] !== first.pages[path]);
	expect(changed).toEqual(['products/n7/index.html']);
	expect(third.pages['products/n7/index.html']).toContain(MARKED);

	expect((await build()).statuses).toEqual({ 304: 41, 404: 1 });
});
