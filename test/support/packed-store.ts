import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { astroIn, cleanEnvironment, runAstro, startAstroDev } from 'product-reviews-test-support/astro';
import { createLastingFolder } from 'product-reviews-test-support/folder';
import { inject } from 'vitest';

export type PackedStore = ReturnType<typeof storeIn>;

type Environment = Readonly<Record<string, string>>;

interface Manifest {
	readonly scripts?: Readonly<Record<string, string>>;
	readonly dependencies: Readonly<Record<string, string>>;
	readonly devDependencies?: Readonly<Record<string, string>>;
}

/** The script behind `npm run add` and `npm run new`. */
export const ADD = fileURLToPath(new URL('../../scripts/add-to-store.mjs', import.meta.url));

const EXAMPLES = fileURLToPath(new URL('../../examples', import.meta.url));

export const exampleIn = (name: string) => join(EXAMPLES, name);

export const manifestOf = (example: string): Manifest =>
	JSON.parse(readFileSync(join(exampleIn(example), 'package.json'), 'utf8'));

const INSTALL = {
	npm: ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'],
	// Takes less of the processor than npm.
	pnpm: ['npx', '--yes', 'pnpm@10', 'install', '--prefer-offline', '--reporter=silent'],
} as const;

/**
 * Installs the packed packages and these dependencies into an empty folder outside of the repository, as a merchant's project
 * has the published ones.
 */
export async function installStore(
	dependencies: Manifest['dependencies'],
	manager: keyof typeof INSTALL = 'pnpm',
): Promise<PackedStore> {
	// Ours depend on each other by version, and are not published.
	const overrides = inject('tarballs');
	const store = createStore({
		dependencies: { ...dependencies, ...overrides },
		overrides,
		pnpm: { overrides },
	});
	await store.run(INSTALL[manager]);
	return store;
}

/**
 * Adds the packages to a store with this manifest, as `npm run add` does it with npm.
 * @param other a store whose other packages it has, so that they need not be installed again.
 * @returns it, and what was printed
 */
export async function addToStore(
	manifest: Manifest,
	other: PackedStore,
): Promise<{ store: PackedStore; printed: string }> {
	const store = createStore(manifest);
	const isOurs = (path: string) => /\/node_modules\/(?:astro-)?product-reviews[^/]*$/.test(path);
	cpSync(join(other.root, 'node_modules'), join(store.root, 'node_modules'), {
		recursive: true,
		verbatimSymlinks: true,
		filter: (path) => !isOurs(path) && basename(path) !== '.package-lock.json',
	});
	const printed = await store.run([process.execPath, ADD, store.root]);
	return { store, printed };
}

/** Makes a store of the starter, as `npm run new` does it with npm. @returns it, and what was printed */
export async function makeNewStore(name: string): Promise<{ store: PackedStore; printed: string }> {
	const { folder, remove } = createLastingFolder('new-store');
	const printed = await runCommand([process.execPath, ADD, '--new', name], folder, { INIT_CWD: folder });
	return { store: storeIn(join(folder, name), remove), printed };
}

function createStore(manifest: object): PackedStore {
	const { folder, remove } = createLastingFolder('store');
	const store = storeIn(folder, remove);
	store.write(
		'package.json',
		JSON.stringify({ name: 'a-store', private: true, type: 'module', ...manifest }),
	);
	return store;
}

function storeIn(root: string, remove: () => void) {
	const inside = (environment: Environment = {}) => ({ root, environment });
	const write = (path: string, content: string) => {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), content);
	};
	return {
		root,
		/** Makes it the store that is in a folder, with the packages that it has, and forgets what it built. */
		become(folder: string): void {
			for (const path of ['src', 'public', 'dist', '.vercel', '.netlify', 'node_modules/.astro'])
				rmSync(join(root, path), { recursive: true, force: true });
			cpSync(folder, root, { recursive: true, filter: (path) => basename(path) !== 'package.json' });
		},
		/** Runs a command in its folder. @returns what it printed. @throws Error with that, if it fails */
		run: (command: readonly string[], environment?: Environment) => runCommand(command, root, environment),
		build: (environment?: Environment) => runAstro(astroIn(root), ['build'], inside(environment)),
		dev: (environment?: Environment) => startAstroDev(astroIn(root), inside(environment)),
		write,
		read: (path: string) => readFileSync(join(root, path), 'utf8'),
		files: (folder: string) =>
			readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile())
				.map((entry) => relative(join(root, folder), join(entry.parentPath, entry.name))),
		remove,
	};
}

async function runCommand(
	[file = '', ...args]: readonly string[],
	cwd: string,
	environment: Environment = {},
): Promise<string> {
	// `npm test` has settings of its own for npm: they are not those of a terminal.
	const own = Object.entries(cleanEnvironment()).filter(
		([name]) => !/^(?:npm_(?!config_)|INIT_CWD$)/.test(name),
	);
	const env = { ...Object.fromEntries(own), ...environment };
	const options = { cwd, env, maxBuffer: 64 * 1024 * 1024 };
	try {
		const { stdout, stderr } = await promisify(execFile)(file, args, options);
		return stdout + stderr;
	} catch (cause) {
		const { stdout = '', stderr = '', message } = cause as Error & { stdout?: string; stderr?: string };
		throw new Error(`"${[file, ...args].join(' ')}" failed:\n${stdout}${stderr || message}`, { cause });
	}
}
