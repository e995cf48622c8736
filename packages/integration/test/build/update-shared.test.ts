import { join } from 'node:path';
import type { Sandbox } from 'product-reviews-sandbox';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { STORE_FILE } from '../../src/constants.js';
import { readLastBuild } from '../../src/session/last-build.js';
import { type BuildProject, createProject } from '../support/build/project.js';
import { productIds, startService } from '../support/build/service.js';
import { runUpdate } from '../support/build/update.js';
import { runCli } from '../support/cli/command.js';

const PIDS = productIds(6);
/** In the options of the driver, where it does not belong. */
const SECRET = 'canary-storage-token';
const CONFIG = { REVIEWS_STORAGE_CONFIG: JSON.stringify({ token: SECRET }) };

let service: Sandbox;
let site: BuildProject;
const { folder: base, remove: removeBase } = createLastingFolder();
const others: BuildProject[] = [];

const runOf = (environment = {}) => ({
	service: service.url,
	options: {
		products: PIDS,

		storage: { driver: 'fs', config: { base, token: SECRET } },
	},
	pages: PIDS,
	environment,
});

beforeAll(async () => {
	service = await startService(PIDS);
	site = createProject('store');
	const { status, output } = await site.build(runOf());
	expect(status, output).toBe(0);
});

afterAll(async () => {
	for (const project of [site, ...others]) project?.remove();
	await service?.close();
	removeBase();
});

const asked = () => service.requests.all.flatMap(({ pids }) => pids).toSorted();

/** What a project with an empty store asks the service for. */
async function askedByAnother(): Promise<readonly string[]> {
	const project = createProject('store');
	others.push(project);
	service.requests.reset();
	const { environment } = project.buildCommand(runOf());
	const { status, errors } = await runCli(['update', '--cache-only'], { cwd: project.root, environment });
	expect(status, errors).toBe(0);
	return asked();
}

function edit(pid: string, body: string) {
	const [review] = service.store.listReviews({ pid });
	service.store.editReview(review?.id ?? '', { body });
}

test('what an update fetched reaches the others, who ask for nothing', async () => {
	expect(await askedByAnother()).toEqual([]);
	edit('p-3', 'Published to all.');
	service.requests.reset();
	const { status, errors } = await runUpdate(site, ['p-3'], CONFIG);
	expect(status, errors).toBe(0);
	expect(asked()).toEqual(['p-3']);
	expect(site.read('products/n3/index.html')).toContain('Published to all.');
	expect(await askedByAnother()).toEqual([]);
});

test('without the secret part of its configuration the storage is not used, and the pages are updated', async () => {
	edit('p-4', 'Published here.');
	const { status, errors } = await runUpdate(site, ['p-4']);
	expect(status).toBe(0);
	expect(errors).toMatch(/The shared storage is not used: "token" .* Set REVIEWS_STORAGE_CONFIG\./);
	expect(site.read('products/n4/index.html')).toContain('Published here.');
});

test('what started a build as changed is fetched once, and others have it', async () => {
	edit('p-5', 'Built anew.');
	service.requests.reset();
	const { status, output } = await site.build(runOf({ REVIEWS_CHANGED: 'p-5' }));
	expect(status, output).toBe(0);
	expect(asked()).toEqual(['p-5']);
	expect(site.read('products/n5/index.html')).toContain('Built anew.');
	const other = createProject('store');
	others.push(other);
	service.requests.reset();
	expect((await other.build(runOf())).status).toBe(0);
	// Of the one that was updated without the storage there is only the answer from before it.
	expect(asked()).toEqual([]);
	expect(other.read('products/n3/index.html')).toContain('Published to all.');
	expect(other.read('products/n5/index.html')).toContain('Built anew.');
});

test('what is kept of the last build has no secret of the configuration', () => {
	const build = readLastBuild(join(site.root, '.cache/product-reviews', STORE_FILE));
	expect(build?.storage).toEqual({ driver: 'fs', config: { base }, omitted: ['token'] });
	expect(JSON.stringify(build)).not.toContain(SECRET);
});
