import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { createFolder } from 'product-reviews-test-support/folder';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { describe, expect, test } from 'vitest';
import { CLI, runCli } from '../../support/cli/command.js';
import { createFilledStore } from '../../support/unit/filled-store.js';

test('a command waits for a build that writes, and only so long', async () => {
	const { file } = createFilledStore(['p-1']);
	const build = new DatabaseSync(file);
	build.exec('BEGIN IMMEDIATE');
	const runOn = (...args: string[]) => runCli(['cache', ...args, '--cache-file', file]);
	const [listed, late] = await Promise.all([runOn('ls'), runOn('invalidate', 'p-1')]);
	expect(listed.output).toContain('"p-1"');
	expect(late).toMatchObject({ status: 1, output: '' });
	expect(late.errors).toMatch(/ is in use: .*\nTry again when that has ended\.\nPR_CACHE_BUSY: npx .*\n$/);
	const removed = runOn('clear', 'p-1');
	await new Promise((resolve) => setTimeout(resolve, 700));
	build.exec('COMMIT');
	build.close();
	expect(await removed).toMatchObject({ status: 0, errors: '' });
});

describe('what a command loads', () => {
	const HOOKS = fileURLToPath(new URL('../../support/unit/name-modules.mjs', import.meta.url));
	/** Every module, by its path. */
	async function loadedBy(...args: string[]): Promise<string[]> {
		const { ended, errors } = runNodeInTest(['--import', HOOKS, CLI, ...args], { cwd: createFolder() });
		await ended;
		return [...errors().matchAll(/^LOADED (.*)$/gm)].map(([, url = '']) => url);
	}

	test('is nothing of Astro or Vite for update, and nothing of BullMQ for --cache-only without --redis', async () => {
		const [update, cacheOnly] = await Promise.all([
			loadedBy('update', 'p-1'),
			loadedBy('update', '--cache-only'),
		]);
		for (const loaded of [update, cacheOnly]) expect(loaded.length).toBeGreaterThan(50);
		expect(
			update.filter((url) => /\/node_modules\/(?:astro|@astrojs|vite|rolldown|esbuild)\//.test(url)),
		).toEqual([]);
		expect(cacheOnly.filter((url) => /\/node_modules\/(?:bullmq|ioredis)\//.test(url))).toEqual([]);
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
		const { ended, errors } = runNodeInTest(['--import', WITHOUT_BULLMQ, CLI, ...args], {
			cwd: createFolder(),
		});
		expect(await ended).toBe(1);
		expect(errors()).toContain('needs BullMQ, which is not installed.\nRun `npm install bullmq ioredis`.\n');
		expect(errors()).toContain('PR_REDIS_MISSING');
		const unset = await runCli(['update', '--cache-only', '--redis-env', 'NO_SUCH_VARIABLE'], {
			cwd: createFolder(),
		});
		expect([unset.status, unset.errors]).toEqual([
			1,
			expect.stringContaining('The variable NO_SUCH_VARIABLE is not set.'),
		]);
	});
});
