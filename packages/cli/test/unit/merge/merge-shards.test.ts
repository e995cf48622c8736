import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { describe, expect, onTestFinished, test } from 'vitest';
import { lockOutput } from '../../../../integration/src/build/lock-output.js';
import { readOutput } from '../../../../integration/src/build/output.js';
import { openDatabase } from '../../../../integration/src/store/open-database.js';
import { openStore } from '../../../../integration/src/store/open-store.js';
import { pack } from '../../../../integration/src/store/pack.js';
import type { ReviewStore } from '../../../../integration/src/store/review-store.js';
import { mountSmallDisk } from '../../../../integration/test/support/small-disk.js';
import { openFormerStore } from '../../../src/merge/former-store.js';
import { joinStores } from '../../../src/merge/join-stores.js';
import { mergeShards } from '../../../src/merge/merge-shards.js';
import { writeFolder } from '../../../src/merge/write-folder.js';
import { ACCOUNT, CACHE_DIR, createShard, named, type ShardParts } from '../../support/shards.js';

/** Two shards of a site, and a folder to join them in. */
function createShards(...changed: readonly Partial<ShardParts>[]) {
	const root = createFolder('shards');
	const all = [
		{ index: 1, count: 2, files: { 'index.html': 'Shop', 'p/1/index.html': 'One' }, pids: ['p-1'] },
		{ index: 2, count: 2, files: { 'index.html': 'Shop', 'p/2/index.html': 'Two' }, pids: ['p-2'] },
	];
	for (const [at, shard] of all.entries()) createShard(join(root, `${at + 1}`), { ...shard, ...changed[at] });
	const target = join(root, 'site');
	const merge = (more: Partial<Parameters<typeof mergeShards>[0]> = {}) =>
		mergeShards({
			shards: [named(root, '2'), named(root, '1')],
			target: named(root, 'site'),
			cacheDir: CACHE_DIR,
			isDryRun: false,
			now: 5_000,
			onWait: () => {},
			onProgress: () => {},
			...more,
		});
	const read = (name: string) => readFileSync(join(target, name), 'utf8');
	return { root, target, merge, read };
}

/** Everything in a folder, by name. */
function contentsOf(folder: string): Record<string, string> {
	if (!existsSync(folder)) return {};
	const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
		entry.isFile(),
	);
	const paths = files
		.map(({ parentPath, name }) => join(parentPath, name))
		.filter((path) => !path.endsWith('.lock'));
	return Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'latin1')]));
}

function storeIn(target: string) {
	const database = openDatabase(join(target, CACHE_DIR, 'reviews-v7.db'), () => {});
	const rows = database
		.prepare('SELECT kind, pid FROM entries UNION SELECT kind, pid FROM marks ORDER BY kind, pid')
		.all();
	const output = readOutput(database);
	database.close();
	return { rows: rows.map(({ kind, pid }) => `${kind} ${pid}`), output };
}

describe('joined shards', () => {
	test('are one output, one store and one report', async () => {
		const { target, merge, read } = createShards();
		const merged = await merge();
		expect(merged).toEqual({
			...{ shards: 2, files: 3, joined: [], products: 2, canPublish: true },
			outDir: join(target, 'dist'),
		});
		expect([read('dist/index.html'), read('dist/p/1/index.html'), read('dist/p/2/index.html')]).toEqual([
			...['Shop', 'One', 'Two'],
		]);
		const { rows, output } = storeIn(target);
		expect(rows).toEqual(['output last', 'reviews p-1', 'reviews p-2']);
		expect(output).toMatchObject({ isComplete: true, outDir: '../dist', root: '..', envFolder: '..' });
		expect(output).not.toHaveProperty('shard');
		expect(JSON.parse(read(`${CACHE_DIR}/product-reviews-report.json`))).toMatchObject({
			totals: { products: 2, fetched: 2 },
			products: [{ pid: 'p-1' }, { pid: 'p-2' }],
		});
		expect(readdirSync(target).toSorted()).toEqual(['dist', CACHE_DIR]);
	});

	test('replace what was there, but not what the store has learned since', async () => {
		const { target, merge, read } = createShards();
		mkdirSync(join(target, 'dist/old'), { recursive: true });
		writeFileSync(join(target, 'dist/old/index.html'), 'Old');
		const store = openStore(join(target, CACHE_DIR, 'reviews-v7.db'), ACCOUNT, () => {});
		store.table('mark').put('p-1', pack({}), 2_000);
		store.table('output').put('unfinished', pack({ pids: ['p-1'] }), 2_000);
		store.pages().put('old', pack({}), ['p-1']);
		store.close();
		await merge();
		expect(existsSync(join(target, 'dist/old'))).toBe(false);
		expect(read('dist/index.html')).toBe('Shop');
		expect(storeIn(target).rows).toEqual(['mark p-1', 'output last', 'reviews p-1', 'reviews p-2']);
	});

	test('without publish, have no output to publish into', async () => {
		const options = { publish: false };
		const { target, merge } = createShards({ options }, { options });
		expect((await merge()).canPublish).toBe(false);
		expect(storeIn(target).output).toBeUndefined();
	});

	test('name the project beside them by its place', async () => {
		const context = { root: '../..', envFolder: false } as const;
		const { target, merge } = createShards({ context }, { context });
		await merge();
		expect(storeIn(target).output).toMatchObject({ root: '../..', envFolder: false });
	});

	test('are only checked by a dry run', async () => {
		const { target, merge } = createShards();
		expect(await merge({ isDryRun: true })).toMatchObject({ shards: 2, files: 3 });
		expect(existsSync(target)).toBe(false);
	});

	test('say how far they are', async () => {
		const { merge } = createShards();
		const said: string[] = [];
		await merge({ onProgress: (what, done, total) => said.push(`${what} ${done}/${total}`) });
		expect(said).toEqual(['compared 1/1', 'copied 1/3', 'copied 2/3', 'copied 3/3']);
	});
});

describe('nothing changes', () => {
	test.each<[string, Partial<ShardParts>, string, string]>([
		[
			'a build that did not finish',
			{ isComplete: false },
			'PR_SHARD_UNUSABLE',
			'The build of shard 2 of 2 in "2" did not finish.',
		],
		[
			'another Astro',
			{ context: { astro: '7.4.0' } },
			'PR_SHARDS_DIFFER',
			'"2" and "1" were not built alike. What differs: the version of Astro (7.4.0 and 7.3.5).',
		],
		[
			'another base',
			{ context: { base: '/shop/' } },
			'PR_SHARDS_DIFFER',
			'the base of the site (/shop/ and /)',
		],
		[
			'another configuration',
			{ context: { config: 'other' } },
			'PR_SHARDS_DIFFER',
			'What differs: the Astro configuration.',
		],
		[
			'another account',
			{ options: { wsid: 'W-2' } },
			'PR_SHARDS_DIFFER',
			'What differs: the website id, the option "wsid".',
		],
		[
			'other options',
			{ options: { display: 'hidden' } },
			'PR_SHARDS_DIFFER',
			'What differs: the option "display".',
		],
		['another number of shards', { count: 3 }, 'PR_SHARDS_DIFFER', '"2" is one of 3 shards, "1" one of 2.'],
		['the same shard twice', { index: 1 }, 'PR_SHARDS_DIFFER', '"2" and "1" are both shard 1 of 2.'],
		[
			'another file of a name',
			{ files: { 'index.html': 'Stop' } },
			'PR_SHARDS_DIFFER',
			'1 file of several shards is not the same in all of them:\nindex.html: "1", "2"',
		],
		[
			'an output that was not copied',
			{ files: {} },
			'PR_SHARD_UNUSABLE',
			'The output folder "dist" of "2" is gone.',
		],
		[
			'an output elsewhere',
			{ context: { outDir: '../../dist' } },
			'PR_SHARD_UNUSABLE',
			'The output folder of "2" is not a folder inside of it.',
		],
	])('with %s', async (_, second, code, message) => {
		const { target, merge } = createShards({}, second);
		await expect(merge()).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
		expect(contentsOf(target)).toEqual({});
	});

	test('without a shard, a store, or a report', async () => {
		const { root, target, merge } = createShards();
		await expect(merge({ shards: [named(root, '1')] })).rejects.toMatchObject({
			code: 'PR_SHARD_MISSING',
			message: 'Of 2 shards, these are missing: 2.',
		});
		rmSync(join(root, '2', CACHE_DIR, 'product-reviews-report.json'));
		await expect(merge()).rejects.toMatchObject({ code: 'PR_NO_REPORT' });
		rmSync(join(root, '2', CACHE_DIR), { recursive: true });
		await expect(merge()).rejects.toMatchObject({
			code: 'PR_STORE_MISSING',
			message: 'There is no store in "2".',
		});
		expect(existsSync(target)).toBe(false);
	});

	test('where a shard would be replaced', async () => {
		const { root, merge } = createShards();
		const before = contentsOf(root);
		await expect(merge({ target: named(root, '1') })).rejects.toMatchObject({
			code: 'PR_USAGE',
			message: '"1" is where the whole site is written.',
		});
		symlinkSync('.', join(root, '1/link'));
		await expect(
			merge({ shards: [named(root, '1/link'), named(root, '2')], target: named(root, '1') }),
		).rejects.toMatchObject({ code: 'PR_USAGE', message: '"1/link" is where the whole site is written.' });
		rmSync(join(root, '1/link'));
		cpSync(join(root, '1'), join(root, 'dist/1'), { recursive: true });
		const inside = { shards: [named(root, 'dist/1'), named(root, '2')], target: named(root, '.') };
		await expect(merge(inside)).rejects.toMatchObject({ code: 'PR_USAGE' });
		rmSync(join(root, 'dist'), { recursive: true });
		expect(contentsOf(root)).toEqual(before);
	});

	test('if the site cannot be written', async () => {
		const { root, target, merge } = createShards();
		await merge();
		writeFileSync(join(root, '1/dist/index.html'), 'New');
		writeFileSync(join(root, '2/dist/index.html'), 'New');
		const before = contentsOf(target);
		const onProgress = () => rmSync(join(root, '2/dist/p/2/index.html'), { force: true });
		for (const end of ['-wal', '-journal'])
			writeFileSync(join(target, CACHE_DIR, `reviews-v7.db.merging${end}`), '');
		await expect(merge({ onProgress })).rejects.toMatchObject({
			code: 'PR_FILE_NOT_WRITTEN',
			message: 'The whole site could not be written to "site": copyfile failed with ENOENT.',
		});
		expect(contentsOf(target)).toEqual(before);
		expect(readdirSync(target).toSorted()).toEqual(['dist', CACHE_DIR]);
	});

	test.each<[string, (path: string, root: string) => void]>([
		['a link out of the folder', (path, root) => symlinkSync(join(root, 'secret'), path)],
		['a link to a folder', (path) => symlinkSync('p', path)],
		['a link to nothing', (path) => symlinkSync('nowhere', path)],
		['a pipe', (path) => void execFileSync('mkfifo', [path])],
	])('if an output has %s', async (_, make) => {
		const { root, target, merge } = createShards();
		writeFileSync(join(root, 'secret'), 's3cret');
		make(join(root, '2/dist/other'), root);
		await expect(merge()).rejects.toMatchObject({
			code: 'PR_SHARD_UNUSABLE',
			message: 'The output of "2" has what is not a file of its own: other.',
		});
		expect(contentsOf(target)).toEqual({});
	});

	test('if a name is that of a file in one shard, and of a folder in another', async () => {
		const { target, merge } = createShards({ files: { p: 'a file' } });
		await expect(merge()).rejects.toMatchObject({
			code: 'PR_SHARDS_DIFFER',
			message: '1 file of several shards is not the same in all of them:\np: "1", "2"',
		});
		expect(contentsOf(target)).toEqual({});
	});

	test('if files vanish while they are compared', async () => {
		const names = Array.from({ length: 100 }, (_, index) => [`${index}.html`, 'same']);
		const files = Object.fromEntries(names);
		const { root, target, merge } = createShards({ files }, { files });
		const onProgress = () => rmSync(join(root, '2/dist'), { recursive: true, force: true });
		await expect(merge({ onProgress })).rejects.toMatchObject({
			code: 'PR_SHARD_UNUSABLE',
			message: 'The output of "2" cannot be read: open failed with ENOENT.',
		});
		expect(contentsOf(target)).toEqual({});
	});

	test('outside of the project, even if the shards say that their cache is there', async () => {
		const context = { astroCache: '../../outside' };
		const { root, merge } = createShards({ context }, { context });
		mkdirSync(join(root, 'outside/dist.merging'), { recursive: true });
		mkdirSync(join(root, 'outside/dist'));
		const manifest = { version: 1, configHash: '', lockfileHash: '', keyDigest: '', routes: {} };
		writeFileSync(join(root, 'outside/incremental-build.json'), JSON.stringify(manifest));
		await merge();
		expect(readdirSync(join(root, 'outside')).toSorted()).toEqual([
			...['dist', 'dist.merging', 'incremental-build.json'],
		]);
	});

	test.each<[string, Partial<ShardParts>]>([
		['the output', { files: { 'p/2/index.html': randomBytes(2_000_000).toString('latin1') } }],
		[
			'the store',
			{
				fill: (store) =>
					store.table('review-data').put('p-2', pack(randomBytes(1_500_000).toString('hex')), 1),
			},
		],
	])('if the disk is too full for %s', async (_, second) => {
		const disk = mountSmallDisk('1m');
		if (typeof disk === 'string') return;
		onTestFinished(() => disk.remove());
		const target = { path: disk.folder, name: 'the disk' };
		await createShards().merge({ target });
		const before = contentsOf(disk.folder);
		await expect(createShards({}, second).merge({ target })).rejects.toMatchObject({
			code: 'PR_FILE_NOT_WRITTEN',
			message: expect.stringMatching(/^The whole site could not be written to the disk: .*(ENOSPC|full)/),
		});
		expect(contentsOf(disk.folder)).toEqual(before);
		expect(readdirSync(disk.folder).toSorted()).toEqual(['dist', CACHE_DIR]);
	});

	test('while another process has the output', async () => {
		const { target, merge } = createShards();
		const storeFile = join(target, CACHE_DIR, 'reviews-v7.db');
		const lock = { storeFile, outDir: '../dist', patience: 0, onWait: () => {} };
		const unlock = await lockOutput(lock);
		let isWaiting = false;
		await merge({
			onWait() {
				isWaiting = true;
				expect(existsSync(join(target, 'dist'))).toBe(false);
				unlock?.();
			},
		});
		expect(isWaiting).toBe(true);
		expect(existsSync(join(target, 'dist/index.html'))).toBe(true);
	});
});

test('what a killed merge has left is removed, and the output that it moved away is back', async () => {
	const { root, target, merge, read } = createShards();
	mkdirSync(join(target, 'dist.replaced'), { recursive: true });
	mkdirSync(join(target, 'dist.merging/half'), { recursive: true });
	writeFileSync(join(target, 'dist.replaced/index.html'), 'Former');
	const onProgress = () => rmSync(join(root, '2/dist/p'), { recursive: true, force: true });
	await expect(merge({ onProgress })).rejects.toMatchObject({ code: 'PR_FILE_NOT_WRITTEN' });
	expect(readdirSync(target).toSorted()).toEqual(['dist', CACHE_DIR]);
	expect(read('dist/index.html')).toBe('Former');
	await merge();
	expect(readdirSync(target).toSorted()).toEqual(['dist', CACHE_DIR]);
	expect(readdirSync(join(target, 'dist')).toSorted()).toEqual(['index.html', 'p']);
});

test('what is marked while the store is replaced stays marked', async () => {
	const file = join(createFolder(), 'reviews-v7.db');
	const mark = (store: ReviewStore, pid: string) => {
		store.table('mark').put(pid, pack({}), 2_000);
		store.flush();
	};
	const running = openStore(file, ACCOUNT, () => {});
	mark(running, 'p-1');
	const former = openFormerStore(file);
	joinStores(`${file}.merging`, [{ file, name: undefined, hasPages: false }], 5_000);
	mark(running, 'p-2');
	await former.replace(5_000);
	former.close();
	running.close();
	const store = openStore(file, ACCOUNT, () => {});
	expect(store.pids('mark')).toEqual(['p-1', 'p-2']);
	store.close();
});

test('names that the file system takes for one are refused', async () => {
	const folder = createFolder();
	writeFileSync(join(folder, 'one'), '');
	const copied = new Map(['a.html', './a.html'].map((name) => [name, join(folder, 'one')]));
	const written = writeFolder(join(folder, 'site'), { copied, joined: [] }, () => {});
	await expect(written).rejects.toMatchObject({
		code: 'PR_SHARDS_DIFFER',
		// They are copied at the same time, so either may be the second one.
		message: expect.stringMatching(/^Here, the name of (?:\.\/)?a\.html is also that of another file\.$/),
	});
});
