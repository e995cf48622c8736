import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { createFolder } from 'product-reviews-test-support/folder';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { describe, expect, onTestFinished, test } from 'vitest';
import { pack } from '../../../src/cache/values.js';
import { lockOutput } from '../../../src/session/lock-output.js';
import { CLI, printed, run, runCli } from '../../support/cli/command.js';
import {
	CACHE_DIR,
	CACHE_FILE,
	createProject,
	createShard,
	type ShardParts,
} from '../../support/cli/shards.js';
import { mountSmallDisk } from '../../support/small-disk.js';
import { createFilledCache } from '../../support/unit/filled-cache.js';

/** Enough that a merge takes a while. */
const FILES = 400;

/** A project with two shards of so many pages, and the arguments of a merge. */
function createShards(files: number, second: Partial<ShardParts> = {}) {
	const cwd = createFolder('merge');
	createProject(cwd);
	const folders = [1, 2].map((index) => join(cwd, `shards/${index}`));
	for (const [at, folder] of folders.entries()) {
		const names = Array.from({ length: files }, (_, page) => `${at + 1}/${page}.html`);
		const pages = Object.fromEntries(names.map((name) => [name, name.repeat(1_000)]));
		const parts = { index: at + 1, count: 2, pids: [`p-${at}`], files: pages };
		createShard(folder, cwd, { ...parts, ...(at === 1 && second) });
	}
	return { cwd, args: ['merge', '--root', cwd, ...folders] };
}

test('a merge that is killed changes nothing, and the next one is whole', async () => {
	const { cwd, args } = createShards(FILES);
	const { end } = runNodeInTest([CLI, ...args], { cwd });
	await expect.poll(() => existsSync(join(cwd, 'dist.merging/1/7.html')), { interval: 1 }).toBe(true);
	expect(await end('SIGKILL')).toBe('SIGKILL');
	for (const name of ['dist', CACHE_FILE]) expect(existsSync(join(cwd, name))).toBe(false);
	const { status, output } = await runCli(args, { cwd });
	expect([status, output]).toEqual([0, expect.stringContaining('800 files')]);
	expect(readdirSync(cwd).toSorted()).toEqual(['astro.config.mjs', 'dist', 'shards', CACHE_DIR]);
	expect(readdirSync(join(cwd, 'dist/2'))).toHaveLength(FILES);
});

test('a merge waits while another process has the output', async () => {
	const { cwd, args } = createShards(1);
	const lock = { cacheFile: join(cwd, CACHE_FILE), outDir: join(cwd, 'dist'), patience: 0, onWait: () => {} };
	const unlock = await lockOutput(lock);
	const { says, ended } = runNodeInTest([CLI, ...args], { cwd });
	await says(/Waiting for another build or update to finish/);
	expect(existsSync(join(cwd, 'dist'))).toBe(false);
	unlock?.();
	expect(await ended).toBe(0);
	expect(existsSync(join(cwd, 'dist/1/0.html'))).toBe(true);
});

/** A disk of a megabyte. */
function smallDisk(skip: (why: string) => never) {
	const disk = mountSmallDisk('1m');
	if (typeof disk === 'string') return skip(disk);
	onTestFinished(() => disk.remove());
	return disk.folder;
}

const contentsOf = (folder: string) =>
	readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile() && !entry.name.endsWith('.lock'))
		.map(({ parentPath, name }) => [parentPath, name, readFileSync(join(parentPath, name), 'latin1')]);

const request = { component: 'StarRating', props: { text: randomBytes(1_500_000).toString('hex') } };
const LARGE = { address: '/', facts: [], dependencies: [{ pid: 'p-1', from: 'reviews', request }] };

test.for<[string, Partial<ShardParts>]>([
	['the output', { files: { 'p/2/index.html': randomBytes(2_000_000).toString('latin1') } }],
	['the store', { fill: (cache) => cache.pages().put('/', pack(LARGE), []) }],
])('a disk that is too full for %s keeps the output that it has', async ([, second], { skip }) => {
	const folder = smallDisk(skip);
	await run([...createShards(1).args, '--out', folder]);
	const before = contentsOf(join(folder, 'dist'));
	const { status, errors } = await run([...createShards(1, second).args, '--out', folder]);
	expect(status).toBe(1);
	expect(errors).toMatch(/^The whole site could not be written to .*(ENOSPC|full).*PR_FILE_NOT_WRITTEN/s);
	expect(contentsOf(join(folder, 'dist'))).toEqual(before);
	expect(readdirSync(folder).toSorted()).toEqual(['dist', CACHE_DIR]);
});

test('a full disk refuses a snapshot, and nothing else', async ({ skip }) => {
	const folder = smallDisk(skip);
	const cwd = createFolder();
	createProject(cwd);
	const there = createFilledCache([]);
	const cache = there.open();
	cache.table('reviews').put('p-1', pack(LARGE), Date.now());
	cache.close();
	const snapshot = join(cwd, 'a.snapshot');
	await printed(there.file, ['cache', 'push', snapshot]);
	const file = join(folder, 'reviews.db');
	copyFileSync(createFilledCache(['p-1']).file, file);
	const before = contentsOf(folder);
	for (const args of [
		['pull', '--cache-file', file, snapshot],
		['push', '--cache-file', there.file, join(folder, 'a.snapshot')],
	]) {
		const { status, errors } = await run(['cache', ...args], { cwd });
		expect([status, errors]).toEqual([1, expect.stringContaining('PR_FILE_NOT_WRITTEN')]);
		expect(contentsOf(folder)).toEqual(before);
	}
	writeFileSync(join(folder, 'other'), randomBytes(950_000));
	const { errors } = await run(['cache', 'push', '--cache-file', file, snapshot]);
	expect(errors).toMatch(/^The snapshot cannot be written: .*(?:full|ENOSPC|disk)/);
	expect(readdirSync(folder)).toEqual(['other', 'reviews.db']);
});

test('a command waits for a build that writes, and only so long', async () => {
	const { file } = createFilledCache(['p-1']);
	const build = new DatabaseSync(file);
	build.exec('BEGIN IMMEDIATE');
	const runOn = (...args: string[]) => runCli(['cache', ...args, '--cache-file', file]);
	const [listed, late] = await Promise.all([runOn('ls'), runOn('invalidate', 'p-1')]);
	expect(listed.output).toContain('"p-1"');
	expect(late).toMatchObject({ status: 1, output: '' });
	expect(late.errors).toMatch(
		/ is in use: .*\nRun the command again when that has ended\.\nPR_CACHE_BUSY: npx .*\n$/,
	);
	const removed = runOn('clear', 'p-1');
	await new Promise((resolve) => setTimeout(resolve, 700));
	build.exec('COMMIT');
	build.close();
	expect(await removed).toMatchObject({ status: 0, errors: '' });
});

describe('what a command loads', () => {
	const HOOKS = fileURLToPath(new URL('../../support/unit/name-modules.mjs', import.meta.url));
	async function loadedBy(...args: string[]): Promise<string[]> {
		const { ended, errors } = runNodeInTest(['--import', HOOKS, CLI, ...args], { cwd: createFolder() });
		await ended;
		return [...errors().matchAll(/^LOADED (.*)$/gm)].map(([, url = '']) => url);
	}

	test('is nothing of Astro or Vite for update, and nothing of BullMQ for --cache-only without --redis', async () => {
		for (const [argument, foreign] of [
			['p-1', /\/node_modules\/(?:astro|@astrojs|vite|rolldown|esbuild)\//],
			['--cache-only', /\/node_modules\/(?:bullmq|ioredis)\//],
		] as const) {
			const loaded = await loadedBy('update', argument);
			expect(loaded.length).toBeGreaterThan(50);
			expect(loaded.filter((url) => foreign.test(url))).toEqual([]);
		}
	});

	/** Makes Node not find BullMQ, as in a project that has not installed it. */
	const WITHOUT_BULLMQ = `data:text/javascript,${encodeURIComponent(`
		import { registerHooks } from 'node:module';
		registerHooks({
			resolve(name, context, next) {
				if (name !== 'bullmq' && name !== 'ioredis') return next(name, context);
				throw Object.assign(new Error('Cannot find package ' + name), { code: 'ERR_MODULE_NOT_FOUND' });
			},
		});
	`)}`;

	test('is said if it has to be installed, or has no address', async () => {
		const args = ['update', '--cache-only', '--redis', 'redis://127.0.0.1:1'];
		const cwd = createFolder();
		const { ended, errors } = runNodeInTest(['--import', WITHOUT_BULLMQ, CLI, ...args], { cwd });
		expect(await ended).toBe(1);
		expect(errors()).toContain('needs BullMQ, which is not installed.\nRun `npm install bullmq ioredis`.\n');
		expect(errors()).toContain('PR_REDIS_MISSING');
		const unset = await runCli(['update', '--cache-only', '--redis-env', 'NO_SUCH_VARIABLE'], { cwd });
		expect(unset.status).toBe(1);
		expect(unset.errors).toContain('The variable NO_SUCH_VARIABLE is not set.');
	});
});
