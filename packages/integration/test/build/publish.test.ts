import { afterEach, describe, expect, test } from 'vitest';
import { createProject } from '../support/build/project.js';
import { runPublish } from '../support/build/publish.js';
import { productIds, startService } from '../support/build/service.js';

const PIDS = productIds(5);
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
	for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function createSetup(fixture: string) {
	const service = await startService(PIDS);
	const project = createProject(fixture);
	cleanups.push(() => project.remove(), service.close);
	const build = async (options: Record<string, unknown> = {}, config: Record<string, unknown> = {}) => {
		const { status, output } = await project.build({
			service: service.url,
			options: { products: PIDS, publish: true, revalidate: 'always', ...options },
			config,
			pages: PIDS,
		});
		expect(status, output).toBe(0);
	};
	return { service, project, build };
}

describe('a site that is published', () => {
	test('has the same bytes as one that is not', async () => {
		const { project, build } = await createSetup('incremental-store');
		await build({ publish: false });
		const before = Object.fromEntries(project.files().map((file) => [file, project.read(file)]));
		await build();
		expect(Object.fromEntries(project.files().map((file) => [file, project.read(file)]))).toEqual(before);
	});

	test('has new reviews without a build', async () => {
		const { service, project, build } = await createSetup('incremental-store');
		await build();
		service.store.createReview('p-2', {
			rating: 1,
			author: 'Ün',
			title: 'New',
			body: 'New text',
			status: 'published',
		});
		const run = await runPublish(project, ['p-2', '--json']);
		console.log(run);
	});
});
