import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createImports, readCode } from '../../scripts/sources.ts';

const ROOT = join(import.meta.dirname, '../..');
const page = readFileSync(join(ROOT, 'packages/integration/ARCHITECTURE.md'), 'utf8');
const INTEGRATION = 'packages/integration/';
const code = readCode();
const importsOf = createImports(code);

/** The text below a heading of the page, up to the next one. */
function section(heading: string): string {
	return page.split(/^## /m).find((text) => text.startsWith(`${heading}\n`)) ?? '';
}

/** The first cells of the rows of a table. */
function rowsOf(text: string): string[][] {
	const rows = text.split('\n').filter((line) => line.startsWith('| '));
	return rows.slice(2).map((row) =>
		row
			.split('|')
			.slice(1, -1)
			.map((cell) => cell.trim()),
	);
}

const names = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

const parts = section('The parts');
const partOf = new Map(
	rowsOf(parts).flatMap(([part = '', folders = '']) =>
		names(folders).map((folder) => [folder, part] as const),
	),
);
const GROUND = names(parts.slice(parts.indexOf('the ground')));

/** The parts that a part may import, according to the picture. */
function reach(part: string): Set<string> {
	const found = new Set([part]);
	const arrows = [...parts.matchAll(/^ +(\w+) --> (\w+)$/gm)];
	for (const name of found) for (const [, from, to = ''] of arrows) if (from === name) found.add(to);
	return found;
}

test('the picture has ten parts, and imports lead down its arrows, or to the ground', () => {
	expect(new Set(partOf.values()).size).toBeLessThanOrEqual(10);
	const roomOf = (path: string) => /^packages\/integration\/src\/([\w-]+)/.exec(path)?.[1] ?? '';
	const rooms = new Set([...code.keys()].map(roomOf).filter((room) => room !== ''));
	expect([...rooms].sort()).toEqual([...partOf.keys(), ...GROUND].sort());
	const wrong = [...code.keys()].flatMap((from) =>
		importsOf(from)
			.filter((to) => {
				const [fromRoom, toRoom] = [roomOf(from), roomOf(to)];
				if (fromRoom === '' || toRoom === '' || GROUND.includes(toRoom)) return false;
				return !reach(partOf.get(fromRoom) ?? '').has(partOf.get(toRoom) ?? '?');
			})
			.map((to) => `${from} -> ${to}`),
	);
	expect(wrong).toEqual([]);
});

test('options are resolved in astro/project.ts: no room below takes all of them', () => {
	const below = [...code].filter(([path]) =>
		/^packages\/integration\/src\/(?!astro\/|cli\/|options\/|index\.ts)/.test(path),
	);
	expect(below.length).toBeGreaterThan(80);
	const taking = below.filter(([, text]) => /\bProductReviewsOptions\b(?!\[| \} from)/.test(text));
	expect(taking.map(([path]) => path)).toEqual([]);
});

/** Names that a service has for things, in the file that knows it. Its webhooks name the product as well. */
const SERVICE_WORDS: Readonly<Record<string, readonly string[]>> = {
	judgeme: ['product_external_id', 'has_published_pictures', 'shop_domain'],
	medusa: ['product_reviews', 'x-publishable-api-key'],
	okendo: ['isIncentivized', 'productVariantName', 'verifiedStatus', 'nextUrl'],
	shopify: ['metafield(', 'gid://shopify/Product/${'],
	woocommerce: ['date_created_gmt', 'reviewer_avatar_urls', 'rest_route'],
	yotpo: ['bottomline', 'domain_key', 'images_data', 'votes_up'],
};

test('what a service calls things stays in its own file, and all providers are at most 900 lines', () => {
	const files = [...code].filter(([path]) => path.includes('/src/'));
	for (const [name, words] of Object.entries(SERVICE_WORDS)) {
		const own = [`${INTEGRATION}src/providers/shipped/${name}.ts`, 'packages/webhook/src/services.ts'];
		const found = files.filter(([, text]) => words.some((word) => text.includes(word)));
		expect(found.map(([path]) => path).filter((path) => !own.includes(path))).toEqual([]);
	}
	const shipped = [...code].filter(([path]) => path.startsWith(`${INTEGRATION}src/providers/shipped/`));
	const lines = shipped.reduce((sum, [, text]) => sum + text.split('\n').length - 1, 0);
	expect(shipped).toHaveLength(8);
	expect(lines).toBeLessThanOrEqual(900);
});

test('the glossary is in order', () => {
	const words = rowsOf(section('Glossary')).map(([word = '']) => word);
	expect(words.length).toBeGreaterThan(0);
	expect(words).toEqual([...words].sort());
});

test('html passes at most 14 files from prop to page, each of which imports one before it or is imported by one', () => {
	const files = [...section('From prop to page').matchAll(/^\d+\. `([^`]+)`/gm)].map(
		([, name = '']) => INTEGRATION + name,
	);
	expect(files.length).toBeLessThanOrEqual(14);
	const [component = '', ...others] = files;
	expect(code.get(component)).toContain("from 'astro-product-reviews/internal'");
	for (const [index, file] of others.entries()) {
		const before = others.slice(0, index);
		const isConnected = before.some(
			(other) => importsOf(file).includes(other) || importsOf(other).includes(file),
		);
		expect(code.has(file) && (index === 0 || isConnected), file).toBe(true);
	}
});

test('a new field of a review with a label takes at most six files, which all have the field of the example, or its name in the answer', () => {
	const text = section('A new field of a review');
	const [field = ''] = names(text);
	const files = names(text).filter((name) => name.startsWith('packages/'));
	expect(files.length).toBeLessThanOrEqual(6);
	for (const file of files)
		expect(readFileSync(join(ROOT, file), 'utf8').toLowerCase(), file).toMatch(
			file.endsWith('contract.ts') ? 'ivrfd' : field,
		);
});

/** Ways from a file by its imports back to itself: at least one for each group of files that import each other. */
function findCircles(files: readonly string[]): string[][] {
	const done = new Set<string>();
	const visit = (file: string, way: readonly string[]): string[][] => {
		if (way.includes(file)) return [[...way.slice(way.indexOf(file)), file]];
		if (done.has(file)) return [];
		const found = importsOf(file).flatMap((imported) => visit(imported, [...way, file]));
		done.add(file);
		return found;
	};
	return files.flatMap((file) => visit(file, []));
}

test('no files import each other in a circle, not even for types', () => {
	const files = [...code.keys()];
	expect(files.length).toBeGreaterThan(200);
	expect(findCircles(files)).toEqual([]);
});

/** The hosted service's own names of fields, as far as nobody else would use them. */
const WIRE_NAMES =
	'rtng prtng avgrtng rttl rtxt ircmnd ivrfd itstmnl ipin cntupvt cntdwnvt arrimg arrvdo arrtag arrcustque rcmnd topicsmry dataCount dataMedia dataQueAns dataCountQueAns queCount listProductId quedt ansdt cstnm'.split(
		' ',
	);

test("only the client, the sandbox, what stands in for the service in benchmarks, and their documentation know the service's names of fields", () => {
	const client = [...code]
		.filter(([path]) => path.startsWith('packages/client/src/'))
		.map(([, text]) => text);
	const isName = new RegExp(`\\b(?:${WIRE_NAMES.join('|')})\\b`);
	for (const name of WIRE_NAMES) expect(client.join('\n'), name).toMatch(new RegExp(`\\b${name}\\b`));
	const pages = globSync(['*.md', 'docs/src/content/docs/**/*.{md,mdx}', 'packages/integration/*.{md,ts}'], {
		cwd: ROOT,
	});
	const all = [...code.keys(), ...pages];
	const knowing = all.filter((path) => isName.test(code.get(path) ?? readFileSync(join(ROOT, path), 'utf8')));
	const outside = knowing.filter((path) => !/^(?:packages\/(?:client|sandbox)|bench)\//.test(path));
	expect(knowing.length).toBeGreaterThan(5);
	expect(outside).toEqual(['docs/src/content/docs/reference/client.md']);
});
