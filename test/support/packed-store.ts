import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import {
	type AstroResult,
	astroIn,
	type DevServer,
	runAstro,
	startAstroDev,
} from 'product-reviews-test-support/astro';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { inject } from 'vitest';

/** A store outside of the repository that has the packed packages, as a merchant's project has the published ones. */
export interface PackedStore {
	readonly root: string;
	build(environment?: Readonly<Record<string, string>>): Promise<AstroResult>;
	dev(environment?: Readonly<Record<string, string>>): Promise<DevServer>;
	write(path: string, content: string): void;
	read(path: string): string;
	files(folder: string): string[];
	clear(path: string): void;
	remove(): void;
}

/** Installs the packed packages and these dependencies into an empty folder. */
export async function installStore(
	dependencies: Readonly<Record<string, string>>,
	manager: keyof typeof INSTALL = 'npm',
): Promise<PackedStore> {
	const { folder: root, remove } = createLastingFolder('store');
	const tarballs = inject('tarballs');
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
	await promisify(execFile)(file, args, { cwd: root, maxBuffer: 16 * 1024 * 1024 });
	const inside = (environment = {}) => ({ root, environment });
	return {
		root,
		build: (environment) => runAstro(astroIn(root), ['build'], inside(environment)),
		dev: (environment) => startAstroDev(astroIn(root), inside(environment)),
		write(path, content) {
			mkdirSync(dirname(join(root, path)), { recursive: true });
			writeFileSync(join(root, path), content);
		},
		read: (path) => readFileSync(join(root, path), 'utf8'),
		files: (folder) =>
			readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile())
				.map((entry) => relative(join(root, folder), join(entry.parentPath, entry.name))),
		clear: (path) => rmSync(join(root, path), { recursive: true, force: true }),
		remove,
	};
}

const INSTALL = {
	npm: ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'],
	pnpm: ['npx', '--yes', 'pnpm@10', 'install', '--prefer-offline', '--reporter=silent'],
} as const;
