import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { createFolder } from 'product-reviews-test-support/folder';
import { runNodeInTest } from 'product-reviews-test-support/node-program';
import { expect, test } from 'vitest';
import { CLI, runCli } from '../../support/cli/command.js';
import { createFilledCache } from '../../support/unit/filled-cache.js';

test('a command waits for a build that writes, and only so long', async () => {
	const { file } = createFilledCache(['p-1']);
	const build = new DatabaseSync(file);
	build.exec('BEGIN IMMEDIATE');
	const runOn = (...args: string[]) => runCli(['cache', ...args, '--cache-file', file]);
	const [listed, late] = await Promise.all([runOn('ls'), runOn('invalidate', 'p-1')]);
	expect(listed.output).toContain('"p-1"');
	expect(late).toMatchObject({ status: 1, output: '' });
	expect(late.errors).toMatch(
		/ is in use: .*\nWait until the other build or command has ended, then run the command again\.\nPR_CACHE_BUSY: npx .*\n$/,
	);
	const removed = runOn('clear', 'p-1');
	await new Promise((resolve) => setTimeout(resolve, 700));
	build.exec('COMMIT');
	build.close();
	expect(await removed).toMatchObject({ status: 0, errors: '' });
});

const HOOKS = fileURLToPath(new URL('../../support/unit/name-modules.mjs', import.meta.url));

test('an update loads nothing of Astro or Vite', async () => {
	const { ended, errors } = runNodeInTest(['--import', HOOKS, CLI, 'update', 'p-1'], { cwd: createFolder() });
	await ended;
	const loaded = [...errors().matchAll(/^LOADED (.*)$/gm)].map(([, url = '']) => url);
	expect(loaded.length).toBeGreaterThan(50);
	expect(
		loaded.filter((url) => /\/node_modules\/(?:astro|@astrojs|vite|rolldown|esbuild)\//.test(url)),
	).toEqual([]);
});
