// Adds the packages of this repository to a store: `npm run add -- ../my-store`. They are packed as they would be published.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { parseDocument } from 'yaml';
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
	const { name, file } = pack(directory, join(store, FOLDER));
	tarballs[name] = `file:./${FOLDER}/${basename(file)}`;
	console.log(`Packed ${name}`);
}
const path = join(store, 'package.json');
const manifest = JSON.parse(readFileSync(path, 'utf8'));
manifest.dependencies = { ...manifest.dependencies, ...tarballs };
// npm refuses an override of a package that the store lists another time, with another version.
for (const name of Object.keys(tarballs)) delete manifest.devDependencies?.[name];
// They depend on each other by version, and no registry has them.
if (manager === 'pnpm') overrideInWorkspace();
else {
	const key = manager === 'yarn' ? 'resolutions' : 'overrides';
	manifest[key] = { ...manifest[key], ...tarballs };
}
writeFileSync(path, `${JSON.stringify(manifest, undefined, '\t')}\n`);
const { status, error } = spawnSync(manager, ['install'], { cwd: store, stdio: 'inherit' });
// pnpm also fails if it ignored the build script of another package.
if (status !== 0 && !existsSync(join(store, 'node_modules/astro-product-reviews/package.json'))) {
	const reason = error?.code === 'ENOENT' ? `${manager} was not found` : `\`${manager} install\` failed`;
	console.error(`${reason}. The packages are in ${store}: install its dependencies there to finish.`);
	process.exit(1);
}
console.log(`
Added to ${store}. Next:

1. In astro.config.mjs, set \`site\` to the address of your store, and add the integration:

   import productReviews from 'astro-product-reviews';
   // ...
   integrations: [productReviews({ products: ['p-1', 'p-2'] })], // the IDs of all your products

2. In .env, set REVIEWS_BASE_URL and REVIEWS_WSID. No account yet? Run \`npx product-reviews-sandbox\`
   in a second terminal and leave it running. It prints both.

3. On your product page, place <StarRating pid={product.id} />, <ProductReviews pid={product.id} /> and
   <ReviewSchema pid={product.id} />, imported from 'astro-product-reviews/components'.
`);

/** Sets the overrides where every version of pnpm since 10.5 reads them: in its workspace file, which other settings stay in. */
function overrideInWorkspace() {
	const root = nearest(store, 'pnpm-workspace.yaml') ?? store;
	const file = join(root, 'pnpm-workspace.yaml');
	const settings = parseDocument(existsSync(file) ? readFileSync(file, 'utf8') : '');
	const folder = relative(root, join(store, FOLDER)).split(sep).join('/');
	for (const [name, path] of Object.entries(tarballs))
		settings.setIn(['overrides', name], `file:./${folder}/${basename(path)}`);
	writeFileSync(file, settings.toString());
}

/** The folder with a file of this name: this one, or else one that it is in. */
function nearest(folder, name) {
	if (existsSync(join(folder, name))) return folder;
	const parent = dirname(folder);
	return parent === folder ? undefined : nearest(parent, name);
}

/** The package manager whose lock file the store has, or the workspace that it is in. */
function managerOf(folder) {
	const found = Object.entries(MANAGERS).flatMap(([file, name]) => {
		const place = nearest(folder, file);
		return place === undefined ? [] : [{ name, place }];
	});
	return found.toSorted((one, other) => other.place.length - one.place.length)[0]?.name ?? 'npm';
}
