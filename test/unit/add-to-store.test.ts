import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../scripts/add-to-store.mjs', import.meta.url));

function run(cwd: string, ...args: string[]) {
	const { status, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], {
		...{ cwd, encoding: 'utf8' },
		env: { ...process.env, INIT_CWD: cwd },
	});
	return { status, error: stderr.trim() };
}

test('a folder that is no store, or has an Astro that is too old, is named, and stays as it is', () => {
	const folder = createFolder();
	const write = (manifest: object) => writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
	expect(run(folder)).toEqual({
		status: 1,
		error: 'Name the folder of your Astro project, as in: npm run add -- ../my-store',
	});
	expect(run(folder, '.').error).toContain('There is no package.json in');
	write({});
	expect(run(folder, '.').error).toContain('has no astro among its dependencies');
	write({ devDependencies: { astro: '~5.18.0' } });
	expect(run(folder, '.')).toEqual({
		status: 1,
		error:
			'The store has Astro 5.18.0, and the packages need Astro 6 or later. Upgrade it first: npx @astrojs/upgrade',
	});
	mkdirSync(join(folder, 'node_modules/astro'), { recursive: true });
	writeFileSync(join(folder, 'node_modules/astro/package.json'), '{ "version": "4.1.0" }');
	write({ dependencies: { astro: '^7.0.0' } });
	expect(run(folder, '.').error).toContain('The store has Astro 4.1.0');
	expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe('{"dependencies":{"astro":"^7.0.0"}}');
	expect(run(folder, '--new', '.').error).toContain('is not empty. Name a new folder');
});
