// Adds the packages of this repository to a store: `npm run add -- ../my-store`. They are packed as they would be published.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { PACKAGES, pack } from './pack.mjs';

/** Folder of the tarballs in the store. Its lock file refers to them, so they belong into its repository. */
const FOLDER = 'product-reviews';
const MANAGERS = { 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn', 'package-lock.json': 'npm' };

const given = process.argv[2];
const store = resolve(process.env.INIT_CWD ?? '.', given ?? '');
if (!given || !existsSync(join(store, 'package.json'))) {
	console.error(
		given
			? `There is no package.json in ${store}. Name the folder of your Astro project.`
			: 'Name the folder of your Astro project, as in: npm run add -- ../my-store',
	);
	process.exit(1);
}
const manager = managerOf(store);
rmSync(join(store, FOLDER), { recursive: true, force: true });
mkdirSync(join(store, FOLDER));
const tarballs = {};
for (const { directory } of PACKAGES) {
	const { name, file } = await pack(directory, join(store, FOLDER));
	tarballs[name] = `file:./${FOLDER}/${basename(file)}`;
	console.log(`Packed ${name}`);
}
const path = join(store, 'package.json');
const manifest = JSON.parse(readFileSync(path, 'utf8'));
manifest.dependencies = { ...manifest.dependencies, ...tarballs };
// npm refuses an override of a package that the store lists another time, with another version.
for (const name of Object.keys(tarballs)) delete manifest.devDependencies?.[name];
// They depend on each other by version, and no registry has them.
if (manager === 'pnpm')
	manifest.pnpm = { ...manifest.pnpm, overrides: { ...manifest.pnpm?.overrides, ...tarballs } };
else {
	const key = manager === 'yarn' ? 'resolutions' : 'overrides';
	manifest[key] = { ...manifest[key], ...tarballs };
}
writeFileSync(path, `${JSON.stringify(manifest, undefined, '\t')}\n`);
const { status, error } = spawnSync(manager, ['install'], { cwd: store, stdio: 'inherit' });
if (status !== 0) {
	console.error(
		`\`${manager} install\` failed in ${store}${error ? `: ${error.message}` : ''}. Run it there again.`,
	);
	process.exit(1);
}
console.log(`
Added to ${store}. Next, in its astro.config.mjs:

  import productReviews from 'astro-product-reviews';
  // ...
  integrations: [productReviews({ products: ['p-1', 'p-2'] })], // the IDs of all your products
`);

/** The package manager whose lock file the store has, or the workspace that it is in. */
function managerOf(folder) {
	for (const [file, name] of Object.entries(MANAGERS)) {
		if (existsSync(join(folder, file))) return name;
	}
	const parent = dirname(folder);
	return parent === folder ? 'npm' : managerOf(parent);
}
