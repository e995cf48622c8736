import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';
import { runPublish } from '../support/build/publish.js';
import { productIds, startService } from '../support/build/service.js';
import { startIndexNow, type TestIndexNow } from '../support/build/sitemap.js';

const PIDS = [...productIds(2), 'ü b'];
const KEY = 'a1b2c3d4-E5F6';
let service: Awaited<ReturnType<typeof startService>>;
let project: BuildProject;
let indexNow: TestIndexNow;

beforeAll(async () => {
	service = await startService(PIDS);
	indexNow = await startIndexNow();
	project = createProject('sitemap-store');
	mkdirSync(join(project.root, 'public'));
	writeFileSync(join(project.root, 'public', `${KEY}.txt`), `${KEY}\n`);
	writeFileSync(join(project.root, 'public', 'another-text.txt'), 'No key.');
	const { status, output } = await project.build({
		service: service.url,
		options: { products: PIDS, publish: true },
		config: { base: '/shop' },
		pages: PIDS,
	});
	expect(status, output).toBe(0);
});

afterAll(async () => {
	await service.close();
	await indexNow.close();
	project.remove();
});

/** Publishes a new review of a product. @returns what IndexNow was told, and what the command said of it */
async function publish(pid: string, ...args: readonly string[]) {
	indexNow.told.length = 0;
	if (pid !== '')
		service.store.createReview(pid, {
			rating: 1,
			author: 'A',
			title: 'New',
			body: 'New',
			status: 'published',
		});
	const environment = { INDEX_NOW_ENDPOINT: `${indexNow.url}/indexnow` };
	const { status, printed, errors } = await runPublish(project, [pid || 'p-1', ...args], environment);
	const said = /IndexNow was .*/.exec(errors)?.[0];
	return { status, printed, errors, said, told: [...indexNow.told] };
}

test('is told nothing unless it is asked for', async () => {
	expect(await publish('p-1')).toMatchObject({ status: 0, said: undefined, told: [] });
});

test('is told exactly the pages that changed, by the key in the output folder', async () => {
	const { status, said, told } = await publish('ü b', '--index-now');
	expect({ status, said }).toEqual({ status: 0, said: 'IndexNow was told 2 pages.' });
	expect(told).toEqual([
		{
			host: 'shop.example',
			key: KEY,
			keyLocation: `https://shop.example/shop/${KEY}.txt`,
			urlList: ['https://shop.example/shop/', 'https://shop.example/shop/products/%C3%BC%20b/'],
		},
	]);
});

test('is told nothing if nothing changed, or if that is only tried', async () => {
	const { said, told } = await publish('', '--index-now');
	expect({ said, told }).toEqual({ said: 'IndexNow was not told anything: no page changed.', told: [] });
	expect((await publish('p-2', '--index-now', '--dry-run')).told).toEqual([]);
});

test('is told after the files are where they belong', async () => {
	const { status, told, errors } = await publish('p-2', '--index-now', '--then', 'exit 3');
	expect({ status, told }).toEqual({ status: 1, told: [] });
	expect(errors).toContain('The command of --then ended with code 3.');
});

test('leaves the output for programs as it is', async () => {
	const { printed, errors, told } = await publish('p-1', '--index-now', '--json');
	expect(Object.keys(JSON.parse(printed))).toEqual(['files', 'rebuild', 'unchanged', 'failed']);
	// Two pages changed, and the one that the command of the test above did not get.
	expect(errors).toContain('IndexNow was told 3 pages.\n');
	expect(told).toHaveLength(1);
});

test('does not make a publish fail if it fails', async () => {
	indexNow.status = 403;
	const { status, said, printed } = await publish('p-1', '--index-now');
	indexNow.status = 200;
	expect({ status, said }).toEqual({
		status: 0,
		said: 'IndexNow was not told what changed: it answered 403: the key is not valid, or its file is not on the site.',
	});
	expect(printed).toContain('products/p-1/index.html');
});

test('needs a key, and says so', async () => {
	const dist = join(project.root, 'dist');
	renameSync(join(dist, `${KEY}.txt`), join(project.root, 'key'));
	writeFileSync(join(dist, 'another-key.txt'), KEY);
	const { status, said, told } = await publish('p-1', '--index-now');
	rmSync(join(dist, 'another-key.txt'));
	expect({ status, told }).toEqual({ status: 0, told: [] });
	expect(said).toMatch(
		/^IndexNow was not told what changed: the output folder has no key\. Add a file <key>\.txt/,
	);
});
