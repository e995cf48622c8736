import { join } from 'node:path';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { CACHE_FILE } from '../../src/constants.js';
import { readManifest } from '../../src/project/manifest.js';
import { createProject } from '../support/build/project.js';
import { editReviews, productIds, startShop } from '../support/build/service.js';

const PIDS = productIds(6);
/** In the options of the driver, where it does not belong. */
const SECRET = 'canary-storage-token';
const CONFIG = { REVIEWS_STORAGE_CONFIG: JSON.stringify({ token: SECRET }) };

const { folder: base, remove: removeBase } = createLastingFolder();
const storage = { driver: 'fs', config: { base, token: SECRET } };
const { project: site, service } = await startShop('store', PIDS, { options: { storage } });

beforeAll(() => site.build());
afterAll(removeBase);

const asked = () => service.requests.all.flatMap(({ pids }) => pids).toSorted();

/** What a project with an empty store asks the service for. */
async function askedByAnother(): Promise<readonly string[]> {
	const options = { products: PIDS, storage };
	const other = createProject('store', { service: service.url, options, pages: PIDS });
	onTestFinished(other.remove);
	service.requests.reset();
	const { status, errors } = await other.command(['refresh']);
	expect(status, errors).toBe(0);
	return asked();
}

test('what an update fetched reaches the others, who ask for nothing', async () => {
	editReviews(service, 'p-3', 'Published to all.');
	service.requests.reset();
	const { status, errors } = await site.update(['p-3'], CONFIG);
	expect(status, errors).toBe(0);
	expect(asked()).toEqual(['p-3']);
	expect(site.read('products/n3/index.html')).toContain('Published to all.');
	expect(await askedByAnother()).toEqual([]);
});

test('without the secret part of its configuration the storage is not used, and the pages are updated', async () => {
	editReviews(service, 'p-4', 'Published here.');
	const { status, errors } = await site.update(['p-4']);
	expect(status).toBe(0);
	expect(errors).toMatch(/The shared storage is not used: "token" .* Set REVIEWS_STORAGE_CONFIG\./);
	expect(site.read('products/n4/index.html')).toContain('Published here.');
});

test('what is kept of the last build has no secret of the configuration', () => {
	const build = readManifest(join(site.root, '.cache/product-reviews', CACHE_FILE));
	expect(build?.storage).toEqual({ driver: 'fs', config: { base }, omitted: ['token'] });
	expect(JSON.stringify(build)).not.toContain(SECRET);
});
