import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { astroIn, runAstro, startAstroDev } from 'product-reviews-test-support/astro';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { inject } from 'vitest';

export type PackedCache = Awaited<ReturnType<typeof installStore>>;

/**
 * Installs the packed packages and these dependencies into an empty folder outside of the repository, as a merchant's project
 * has the published ones.
 */
export async function installStore(
	dependencies: Readonly<Record<string, string>>,
	manager: keyof typeof INSTALL = 'npm',
) {
	const { folder: root, remove } = createLastingFolder('store');
	const tarballs = manager === 'npm run add' ? {} : inject('tarballs');
	const manifest = {
		name: 'a-store',
		private: true,
		type: 'module',
		dependencies: { ...dependencies, ...tarballs },
		// Ours depend on each other by version, and are not published.
		overrides: tarballs,
		pnpm: { overrides: tarballs },
	};
	writeFileSync(join(root, 'package.json'), JSON.stringify(manifest, undefined, '\t'));
	const [file, ...args] = INSTALL[manager];
	await promisify(execFile)(file, manager === 'npm run add' ? [...args, root] : args, {
		cwd: root,
		maxBuffer: 16 * 1024 * 1024,
	});
	const inside = (environment: Readonly<Record<string, string>> = {}) => ({ root, environment });
	return {
		root,
		build: (environment?: Readonly<Record<string, string>>) =>
			runAstro(astroIn(root), ['build'], inside(environment)),
		dev: (environment?: Readonly<Record<string, string>>) =>
			startAstroDev(astroIn(root), inside(environment)),
		write(path: string, content: string) {
			mkdirSync(dirname(join(root, path)), { recursive: true });
			writeFileSync(join(root, path), content);
		},
		read: (path: string) => readFileSync(join(root, path), 'utf8'),
		files: (folder: string) =>
			readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile())
				.map((entry) => relative(join(root, folder), join(entry.parentPath, entry.name))),
		clear: (path: string) => rmSync(join(root, path), { recursive: true, force: true }),
		remove,
	};
}

const INSTALL = {
	'npm run add': [
		process.execPath,
		fileURLToPath(new URL('../../scripts/add-to-store.mjs', import.meta.url)),
	],
	npm: ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'],
	pnpm: ['npx', '--yes', 'pnpm@10', 'install', '--prefer-offline', '--reporter=silent'],
} as const;
