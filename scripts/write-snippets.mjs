// Writes the code of the documentation to docs/snippets, one file for each block, so that `astro check` can check its types.
// Blocks that name a file of the repository are those of tests, and are not checked again. A block with the word `fragment` after its language
// gets what it leaves out: imports of the package, and a product. A catalog that a block imports is the same product.
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FOLDER = new URL('../docs/snippets/', import.meta.url);
const DOCUMENTS = ['README.md', 'packages/integration/README.md', 'docs/src/content/docs/**/*.{md,mdx}'];
const GENERATED = /\/docs\/reference\/(?:options|components|labels|functions|commands|environment)\.md$/;

/** The file extension that a block is checked with, by its language. */
const EXTENSIONS = { js: 'ts', ts: 'ts', astro: 'astro' };

/** A block of code in Markdown or MDX, and the file of the repository that a comment before it names. */
const BLOCK =
	/(?:(?:<!--|\{\/\*) (?<file>[^\n]+?) (?:-->|\*\/\})\n)?^(?<fence>`{3,})(?<language>\w+)?(?<meta>[^\n]*)\n(?<code>.*?)^\k<fence>$/gms;

const PRODUCT = "{ id: 'p-1', slug: 'kettle', name: 'Kettle', sku: 'K-1', price: 64, digest: 'a1' }";

/** What a fragment may leave out, by the name that it uses. */
const LEFT_OUT = {
	productReviews: "import productReviews from 'astro-product-reviews';",
	product: `const product = ${PRODUCT};`,
	products: `const products = [${PRODUCT}];`,
};

/** The catalog of a shop, wherever it is. */
const CATALOG = /'[./\w]+\/products\.json'/g;
const COMPONENTS = readFileSync(`${ROOT}packages/integration/components/index.d.ts`, 'utf8').matchAll(
	/as (\w+)/g,
);
for (const [, name] of COMPONENTS) {
	LEFT_OUT[name] = `import { ${name} } from 'astro-product-reviews/components';`;
}

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
writeFileSync(new URL('catalog.ts', FOLDER), `export default [${PRODUCT}];\n`);
let count = 0;
for (const path of globSync(DOCUMENTS, { cwd: ROOT }).sort()) {
	if (GENERATED.test(path)) continue;
	const blocks = [...readFileSync(`${ROOT}${path}`, 'utf8').matchAll(BLOCK)];
	for (const [index, { groups: block }] of blocks.entries()) {
		const extension = EXTENSIONS[block.language];
		if (extension === undefined || block.file !== undefined) continue;
		const name = path
			.replace(/^docs\/src\/content\/docs\//, '')
			.replace(/\.\w+$/, '')
			.replaceAll('/', '-');
		writeFileSync(new URL(`${name}-${index + 1}.${extension}`, FOLDER), toFile(block, extension));
		count += 1;
	}
}
console.log(`${count} blocks of code`);

function toFile({ code: written, meta }, extension) {
	const code = written.replace(CATALOG, "'./catalog'").replace(" with { type: 'json' }", '');
	const prelude = /\bfragment\b/.test(meta) ? preludeOf(code) : '';
	if (extension === 'ts') return `${prelude}${code}export {};\n`;
	return code.startsWith('---\n') ? code.replace('---\n', `---\n${prelude}`) : `---\n${prelude}---\n${code}`;
}

function preludeOf(code) {
	return Object.entries(LEFT_OUT)
		.filter(([name]) => uses(code, name) && !declares(code, name))
		.map(([, line]) => `${line}\n`)
		.join('');
}

function uses(code, name) {
	return new RegExp(`(?<![\\w-])${name}(?![\\w-])`).test(code);
}

function declares(code, name) {
	return new RegExp(`import (?:\\{[^}]*\\b${name}\\b[^}]*\\}|${name}) from|const ${name} =`).test(code);
}
