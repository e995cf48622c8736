import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Validator from '@adobe/structured-data-validator';
import WebAutoExtractor from '@marbec/web-auto-extractor';
import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { checkHtml } from 'product-reviews-test-support/check-html';
import { needs } from 'product-reviews-test-support/programs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
	type BuildProject,
	createProject,
} from '../../../packages/integration/test/support/build/project.ts';
import { PRODUCTS } from '../../src/catalog/products.ts';

/** One product has a URL that browsers accept but html does not allow. */
const productUrl = (pid: string) =>
	`https://shop.example/products/${pid}/${pid === 'p-1' ? '?filter[color]=red|blue&off=5%#a#b' : ''}`;
const KETTLE = 'products/enamel-kettle/index.html';

let sandbox: Sandbox;
let project: BuildProject;
let pages: ReadonlyMap<string, string>;

beforeAll(async () => {
	sandbox = await startSandbox({ port: 0, productUrl });
	project = createProject('../../../../../playground', {
		service: sandbox.url,
		environment: { REVIEWS_TOKEN: sandbox.token, PLAYGROUND_CACHE_DIR: './.cache' },
	});
	await project.build();
	pages = new Map(
		project.files().flatMap((path) => (path.endsWith('.html') ? [[path, project.read(path)]] : [])),
	);
	expect(pages.size).toBe(129);
});

afterAll(async () => {
	project?.remove();
	await sandbox?.close();
});

const VOCABULARY = new URL('../../../test/corpora/schemaorg-all-https.jsonld', import.meta.url);
const validator = new Validator(JSON.parse(readFileSync(VOCABULARY, 'utf8')));

/** The parts of what the two packages return that are used here. */
type Nodes = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;
type Extracted = Readonly<Record<'jsonld' | 'microdata' | 'rdfa', Nodes>>;
interface Issue {
	readonly severity: 'ERROR' | 'WARNING';
	readonly issueMessage: string;
	/** From the top node down; missing if the script itself cannot be parsed. */
	readonly path?: readonly { readonly type?: string; readonly property?: string; readonly index?: number }[];
}

/**
 * Runs Adobe's validator, which knows the requirements of search engines and the vocabulary of schema.org. Returns its
 * findings in a page, such as `ERROR Product.review[0].author: Required attribute "name" is missing`.
 */
async function findIssues(html: string): Promise<string[]> {
	const issues: Issue[] = await validator.validate(extract(html));
	return issues.filter(isFault).map((issue) => `${issue.severity} ${placeOf(issue)}: ${issue.issueMessage}`);
}

/** All top-level nodes of a page, in any of the three formats; nested nodes are not listed separately. */
function readNodes(html: string): readonly Readonly<Record<string, unknown>>[] {
	const { jsonld, microdata, rdfa } = extract(html);
	return [jsonld, microdata, rdfa].flatMap((nodes) => Object.values(nodes).flat());
}

function extract(html: string): Extracted {
	return new WebAutoExtractor({ addLocation: true, embedSource: ['rdfa', 'microdata'] }).parse(html);
}

/** Missing optional values, such as a product's color or a review's date, are not an error. */
function isFault({ severity, issueMessage }: Issue): boolean {
	return severity === 'ERROR' || !issueMessage.startsWith('Missing ');
}

function placeOf({ path = [] }: Issue): string {
	const [top, ...below] = path;
	const steps = below.map(({ property, index }) => `.${property}${index === undefined ? '' : `[${index}]`}`);
	return `${top?.type ?? 'script'}${steps.join('')}`;
}

/** The page of the kettle with one thing changed. */
function spoil(from: string | RegExp, to: string): string {
	const html = pages.get(KETTLE) ?? '';
	expect(html).toMatch(from);
	return html.replace(from, to);
}

test('the validator of structured data finds no problems in any page', async () => {
	for (const [path, html] of pages) expect(await findIssues(html), path).toEqual([]);
});

test.each([
	[/(?<="@type":)"Person","name":"[^"]+"/, '"Person"', 'Product.review[0].author: Required attribute "name"'],
	[/(?<="ratingValue":)[\d.]+/, '9', 'Rating is outside'],
	['"reviewBody":"', '"reviewBody":"</script>', 'script: Could not parse JSON-LD'],
] as const)('it reports %s as %s', async (from, to, issue) => {
	expect((await findIssues(spoil(from, to))).join('\n')).toContain(issue);
});

test('the structured data of a product is one product on its page, rated as the service rates it', async () => {
	const others = new Map(pages);
	const rated = new Map(sandbox.store.listProducts().map((product) => [product.pid, product]));
	let unrated = 0;
	for (const { pid, slug } of PRODUCTS) {
		const path = `products/${slug}/index.html`;
		others.delete(path);
		const { publishedCount = 0, average } = rated.get(pid) ?? {};
		const products = readNodes(pages.get(path) ?? '').filter((node) => node['@type'] === 'Product');
		const rating = { aggregateRating: { ratingValue: average, reviewCount: publishedCount } };
		const offers = { '@type': 'Offer' };
		expect(products, path).toMatchObject([{ sku: pid, offers, ...(publishedCount > 0 && rating) }]);
		const reviews = (products[0]?.['review'] ?? []) as { author: { name: string }; datePublished?: string }[];
		expect(reviews.length).toBeLessThanOrEqual(publishedCount);
		for (const { author, datePublished } of reviews) {
			// Search engines reject longer names.
			expect(author.name.trim()).toMatch(/^.{1,99}$/su);
			if (datePublished) expect(new Date(datePublished).toISOString()).toMatch(`${datePublished}T00:00`);
		}
		if (publishedCount > 0) continue;
		unrated += 1;
		expect(Object.keys(products[0] ?? {})).not.toContain('aggregateRating');
		expect(Object.keys(products[0] ?? {})).not.toContain('review');
	}
	expect(unrated).toBe(6);
	for (const [path, html] of others)
		expect(JSON.stringify(readNodes(html)), path).not.toMatch(/"(Product|AggregateRating|Review)"/);
});

test(
	'the Nu HTML checker finds nothing wrong in any page, and mistakes in pages that have some',
	needs('java'),
	async () => {
		const mistakes = [
			['</article>', '', 'Unclosed element “article”'],
			['data-display="', 'data-display="4"', 'Quote “"” in attribute name'],
			[/(?<= datetime=")[^"]+/, '2026-02-31', 'Bad value “2026-02-31”'],
		] as const;
		const dist = join(project.root, 'dist');
		const folder = join(dist, 'mistakes');
		mkdirSync(folder);
		for (const [index, [from, to]] of mistakes.entries())
			writeFileSync(join(folder, `${index}.html`), spoil(from, to));
		const names = mistakes.map((_, index) => `mistakes/${index}.html`);
		// Starting the checker takes longer than checking a page, so all are checked at once.
		const problems = await checkHtml([...pages.keys(), ...names].map((path) => join(dist, path)));
		for (const [index, [, , message]] of mistakes.entries()) {
			const found = problems.filter(({ file }) => file === join(folder, `${index}.html`));
			expect(found.map((problem) => problem.message).join('\n')).toContain(message);
		}
		const accepted = [
			// Still needed: Safari removes the role from lists without bullets.
			/^The “list” role is unnecessary for element “[ou]l”/,
			// Reviews may have no title.
			/^Article lacks heading/,
		];
		const found = problems.filter(
			({ file, severity, message }) =>
				!file.startsWith(folder) && !(severity === 'warning' && accepted.some((one) => one.test(message))),
		);
		expect(found).toEqual([]);
	},
);
