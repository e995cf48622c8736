import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
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

const STORES = fileURLToPath(new URL('../stores', import.meta.url));

const EMPTY = 'empty';

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

export interface StoreSetup {
	/** Its dependencies beside our packages, by name. */
	readonly dependencies: Readonly<Record<string, string>>;
	/** @default 'npm' */
	readonly manager?: 'npm' | 'pnpm';
	readonly installArguments?: readonly string[];
}

/**
 * Copies a folder of `test/stores`, or begins with an `'empty'` one, in a place of its own, and installs the packed packages
 * and the given dependencies.
 */
export async function installStore(name: string, setup: StoreSetup): Promise<PackedStore> {
	const { folder: root } = createLastingFolder(`store-${name}`);
	if (name !== EMPTY) cpSync(join(STORES, name), root, { recursive: true });
	const tarballs = inject('tarballs');
	const manifest = {
		name: 'a-store',
		private: true,
		type: 'module',
		dependencies: { ...setup.dependencies, ...tarballs },
		// Ours depend on each other by version, and are not published.
		overrides: tarballs,
		pnpm: { overrides: tarballs },
	};
	writeFileSync(join(root, 'package.json'), JSON.stringify(manifest, undefined, '\t'));
	const [file, ...args] = INSTALL[setup.manager ?? 'npm'];
	await promisify(execFile)(file, [...args, ...(setup.installArguments ?? [])], {
		cwd: root,
		maxBuffer: 16 * 1024 * 1024,
	});
	return openStore(root);
}

const INSTALL = {
	npm: ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'],
	pnpm: ['npx', '--yes', 'pnpm@10', 'install', '--prefer-offline', '--reporter=silent'],
} as const;

function openStore(root: string): PackedStore {
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
		remove: () => rmSync(root, { recursive: true, force: true }),
	};
}
