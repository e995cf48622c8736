import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type BuildProject, createProject } from '../support/build/project.js';
import { markOf, productIds, startService } from '../support/build/service.js';
import { storedProducts, storeFileIn, storeWarnings } from '../support/build/store.js';

const PIDS = productIds(120);
const PAGES = PIDS.slice(0, 10);
const store = createLastingFolder('store');
const file = storeFileIn(store.folder);
let service: Awaited<ReturnType<typeof startService>>;
let project: BuildProject;

beforeAll(async () => {
	service = await startService(PIDS);
	project = createProject('store');
	expect((await build()).warnings).toEqual([]);
});

afterAll(async () => {
	await service.close();
	project.remove();
	store.remove();
});

async function build() {
	const { status, output } = await project.build({
		service: service.url,
		options: { products: PIDS, cacheDir: store.folder },
		pages: PAGES,
	});
	expect(status, output).toBe(0);
	for (const [index] of PAGES.entries())
		expect(project.read(`products/n${index + 1}/index.html`)).toContain(markOf(index));
	return { output, warnings: storeWarnings(output) };
}

const SET_ASIDE =
	/^The store cannot be used \(.+\)\. It was renamed to "reviews-v7\.db\.set-aside"; a new one is built\. \[PR_STORE_UNUSABLE\]$/;

test.each<[string, () => void, RegExp[]]>([
	[
		'damaged in the middle',
		() => {
			const bytes = readFileSync(file);
			for (let page = 1; page * 8_192 < bytes.length; page++)
				bytes.fill(0xff, page * 8_192, page * 8_192 + 12);
			writeFileSync(file, bytes);
		},
		[SET_ASIDE],
	],
	['of zero bytes', () => writeFileSync(file, ''), []],
	[
		'of a newer schema',
		() => {
			const database = new DatabaseSync(file);
			database.exec('PRAGMA user_version = 99');
			database.close();
		},
		[SET_ASIDE],
	],
])('with a store %s a build is whole, and has a whole store after it', async (_what, damage, warnings) => {
	rmSync(`${file}.set-aside`, { force: true });
	damage();
	const built = await build();
	expect(built.warnings).toEqual(warnings.map((warning) => expect.stringMatching(warning)));
	expect(built.output).toContain(' s: 120 fetched\n');
	expect(storedProducts(store.folder).sort()).toEqual(PIDS.toSorted());
	expect(readdirSync(store.folder).includes('reviews-v7.db.set-aside')).toBe(warnings.length > 0);
});

test('with a folder in place of the store a build is whole, and the folder stays', async () => {
	rmSync(file);
	mkdirSync(file);
	writeFileSync(`${file}/notes.txt`, 'mine');
	const { warnings } = await build();
	expect(warnings).toEqual([
		'The store cannot be opened: unable to open database file. Reviews are kept in memory for this build only; the next one asks the service for all of them. Check that the folder of the option "cacheDir" can be written. [PR_STORE_UNUSABLE]',
	]);
	expect(readFileSync(`${file}/notes.txt`, 'utf8')).toBe('mine');
});
