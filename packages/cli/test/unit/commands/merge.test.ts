import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { describe, expect, test } from 'vitest';
import { CLI, runCli } from '../../support/command.js';
import { CACHE_DIR, createShard } from '../../support/shards.js';

/** Enough that a merge takes a while. */
const FILES = 400;

function createShards(files = 1) {
	const cwd = createFolder('merge');
	for (const index of [1, 2]) {
		const names = Array.from({ length: files }, (_, page) => `${index}/${page}.html`);
		createShard(join(cwd, `shards/${index}`), {
			...{ index, count: 2, pids: [`p-${index}`] },
			files: Object.fromEntries(names.map((name) => [name, name.repeat(1_000)])),
		});
	}
	return cwd;
}

const merge = (cwd: string, ...args: string[]) =>
	runCli(['merge', '--cache-dir', CACHE_DIR, ...args], { cwd });
const SHARDS = ['shards/1', 'shards/2'];

describe('the command merge', () => {
	test('joins shards in the project, and says what it did', async () => {
		const cwd = createShards();
		expect(await merge(cwd, '--dry-run', ...SHARDS)).toEqual({
			status: 0,
			output: expect.stringMatching(
				/^2 shards fit together in [\d.]+ s: 2 files, 2 products\nOutput: "dist", not written\n$/,
			),
			errors: '',
		});
		expect(await merge(cwd, ...SHARDS)).toEqual({
			status: 0,
			output: expect.stringMatching(/^2 shards joined in [\d.]+ s: 2 files, 2 products\nOutput: "dist"\n$/),
			errors: '',
		});
		expect(readdirSync(cwd).toSorted()).toEqual(['dist', 'shards', CACHE_DIR]);
	});

	test('joins them elsewhere, and prints for programs', async () => {
		const cwd = createShards();
		const { output, errors } = await merge(cwd, '--json', '--out', 'site', ...SHARDS, 'shards/1/');
		expect(errors).toBe('');
		expect(JSON.parse(output)).toEqual({
			...{ shards: 2, files: 2, joined: [], products: 2, canPublish: true },
			outDir: join(cwd, 'site/dist'),
		});
		expect(readdirSync(cwd).toSorted()).toEqual(['shards', 'site']);
	});

	test.each([
		[['merge'], '"merge" needs a folder for each shard.', 'PR_USAGE'],
		[['merge', '--store', 'x', 'a'], '"merge" has no option --store.', 'PR_USAGE'],
		[['merge', '--out', '', 'a'], '--out is empty.', 'PR_USAGE'],
		[['publish', '--out', 'x'], '"publish" has no option --out.', 'PR_USAGE'],
		[['merge', 'nothing'], 'There is no store in "nothing".', 'PR_STORE_MISSING'],
	])('%j is refused', async (args, message, code) => {
		const { status, output, errors } = await runCli(args, { cwd: createFolder() });
		expect({ status, output }).toEqual({ status: 1, output: '' });
		expect(errors.startsWith(`${message}\n`), errors).toBe(true);
		expect(errors).toContain(`${code}: http`);
	});

	test('that is killed changes nothing, and the next one is whole', async () => {
		const cwd = createShards(FILES);
		const { end } = runNodeInTest([CLI, 'merge', '--cache-dir', CACHE_DIR, ...SHARDS], { cwd });
		await expect.poll(() => existsSync(join(cwd, 'dist.merging/1/7.html')), { interval: 1 }).toBe(true);
		expect(await end('SIGKILL')).toBe('SIGKILL');
		expect(existsSync(join(cwd, 'dist'))).toBe(false);
		expect(existsSync(join(cwd, CACHE_DIR, 'reviews-v7.db'))).toBe(false);
		const { status, output } = await merge(cwd, ...SHARDS);
		expect(status).toBe(0);
		expect(output).toContain('800 files');
		expect(readdirSync(cwd).toSorted()).toEqual(['dist', 'shards', CACHE_DIR]);
		expect(readdirSync(join(cwd, 'dist/2'))).toHaveLength(FILES);
	});
});
