// Adds the packages of this repository to a store: `npm run add -- ../my-store`. They are packed as they would be published.
// `npm run new -- ../my-store` makes a store of the starter first.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseDocument } from 'yaml';
import { PACKAGES, pack } from './pack.mjs';

/** Folder of the tarballs in the store. Its lock file refers to them, so they belong into its repository. */
const FOLDER = 'product-reviews';
const MANAGERS = { 'pnpm-lock.yaml': 'pnpm', 'yarn.lock': 'yarn', 'package-lock.json': 'npm' };

const STARTER = fileURLToPath(new URL('../examples/starter', import.meta.url));

/** The oldest major version of Astro that the packages work with. */
const OLDEST_ASTRO = 6;

const isNew = process.argv.includes('--new');
const [given] = process.argv.slice(2).filter((argument) => argument !== '--new');
const store = resolve(process.env.INIT_CWD ?? '.', given ?? '');
if (!given)
	fail(`Name the folder of your Astro project, as in: npm run ${isNew ? 'new' : 'add'} -- ../my-store`);
if (isNew) {
	if (existsSync(store) && readdirSync(store).length > 0) {
		fail(`${store} is not empty. Name a new folder, or add reviews to this store: npm run add -- ${given}`);
	}
	cpSync(STARTER, store, {
		recursive: true,
		filter: (path) => !['node_modules', 'dist', '.astro', '.product-reviews'].includes(basename(path)),
	});
}
if (!existsSync(join(store, 'package.json'))) {
	fail(`There is no package.json in ${store}. Name the folder of your Astro project.`);
}
const path = join(store, 'package.json');
const text = readFileSync(path, 'utf8');
const manifest = JSON.parse(text);
// Before anything is changed.
const astro = astroVersion();
if (astro === undefined)
	fail(`${path} has no astro among its dependencies. Name the folder of your Astro project.`);
if (Number.parseInt(astro, 10) < OLDEST_ASTRO) {
	fail(
		`The store has Astro ${astro}, and the packages need Astro ${OLDEST_ASTRO} or later. Upgrade it first: npx @astrojs/upgrade`,
	);
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
manifest.dependencies = { ...manifest.dependencies, ...tarballs };
// npm refuses an override of a package that the store lists another time, with another version.
for (const name of Object.keys(tarballs)) delete manifest.devDependencies?.[name];
if (isNew) {
	manifest.name = packageName(basename(store));
	if (Object.keys(manifest.devDependencies).length === 0) delete manifest.devDependencies;
}
// They depend on each other by version, and no registry has them.
const changed = ['package.json', `${FOLDER}/`, lockFileOf(manager)];
if (manager === 'pnpm') changed.push(overrideInWorkspace());
else {
	const key = manager === 'yarn' ? 'resolutions' : 'overrides';
	manifest[key] = { ...manifest[key], ...tarballs };
}
const [, indentation = '\t'] = /^([ \t]+)"/m.exec(text) ?? [];
writeFileSync(path, `${JSON.stringify(manifest, undefined, indentation)}\n`);
const { status, error } = spawnSync(manager, ['install'], { cwd: store, stdio: 'inherit' });
// pnpm also fails if it ignored the build script of another package.
if (status !== 0 && !existsSync(join(store, 'node_modules/astro-product-reviews/package.json'))) {
	const reason = error?.code === 'ENOENT' ? `${manager} was not found` : `\`${manager} install\` failed`;
	console.error(
		`${reason}. package.json has the packages: run \`${manager} install\` in ${store} to finish.`,
	);
	process.exit(1);
}
if (isNew) {
	console.log(`
A store with reviews is in ${store}. Start it, and a review service beside it, with Node 22.13 or later:

   cd ${/\s/.test(given) ? `"${given}"` : given}
   npm run dev

Its reviews are invented: they come from this service, the sandbox. Before you deploy the store, put
REVIEWS_BASE_URL and REVIEWS_WSID of your review service into .env, and replace "node with-sandbox.mjs" in
package.json with "astro". Its README has the steps.
`);
	process.exit(0);
}
console.log(`
Added to ${store}. Next:

1. In astro.config.mjs, set \`site\` to the address of your store, and add the integration:

   import productReviews from 'astro-product-reviews';
   // ...
   integrations: [productReviews({ products: ['p-1', 'p-2'] })], // the IDs of all your products

2. In .env, set REVIEWS_BASE_URL and REVIEWS_WSID. No account yet? Run \`npx product-reviews-sandbox\`
   in a second terminal and leave it running. It prints the lines of your .env.

   With WooCommerce, Judge.me, Yotpo, Medusa, Okendo and others, set the option \`provider\` instead. Some
   of them need no .env: see docs/src/content/docs/start/which-services.md.

3. On your product page, place the components:

   import { ProductReviews, ReviewSchema, StarRating } from 'astro-product-reviews/components';
   // ...
   <StarRating pid={product.id} />
   <ProductReviews pid={product.id} />
   <ReviewSchema
     pid={product.id}
     product={{ name: product.name, offers: { price: product.price, priceCurrency: 'EUR' } }}
   />

4. Commit what has changed: ${changed.join(', ')}.
`);

function fail(message) {
	console.error(message);
	process.exit(1);
}

/** Makes a valid name of a package of a folder's name. */
function packageName(folder) {
	const name = folder
		.toLowerCase()
		.replaceAll(/[^a-z0-9._~-]+/g, '-')
		.replaceAll(/^[._-]+|-+$/g, '');
	return name.slice(0, 214) || 'my-store';
}

/** The version of Astro that the store has, or asks for; `undefined` if it has none. */
function astroVersion() {
	try {
		return JSON.parse(readFileSync(join(store, 'node_modules/astro/package.json'), 'utf8')).version;
	} catch {
		const { dependencies, devDependencies } = manifest;
		return { ...devDependencies, ...dependencies }.astro?.replace(/^[^\d]*/, '');
	}
}

/**
 * Sets the overrides where every version of pnpm since 10.5 reads them: in its workspace file, which other settings stay in.
 * @returns the file's path from the store.
 */
function overrideInWorkspace() {
	const root = nearest(store, 'pnpm-workspace.yaml') ?? store;
	const file = join(root, 'pnpm-workspace.yaml');
	const settings = parseDocument(existsSync(file) ? readFileSync(file, 'utf8') : '');
	const folder = relative(root, join(store, FOLDER)).split(sep).join('/');
	for (const [name, path] of Object.entries(tarballs))
		settings.setIn(['overrides', name], `file:./${folder}/${basename(path)}`);
	writeFileSync(file, settings.toString());
	return relative(store, file);
}

/** The path of the lock file from the store, or from the workspace that it is in. */
function lockFileOf(manager) {
	const [name] = Object.entries(MANAGERS).find(([, one]) => one === manager);
	return relative(store, join(nearest(store, name) ?? store, name));
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
