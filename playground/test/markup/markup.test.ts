import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Validator from '@adobe/structured-data-validator';
import WebAutoExtractor from '@marbec/web-auto-extractor';
import { XMLParser } from 'fast-xml-parser';
import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { checkHtml } from 'product-reviews-test-support/check-html';
import { needs } from 'product-reviews-test-support/programs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
	type BuildProject,
	createProject,
} from '../../../packages/integration/test/support/build/project.ts';
import { usually } from '../../../packages/integration/test/support/corpora.ts';
import { PRODUCTS } from '../../src/catalog/products.ts';

/** One product has a URL that browsers accept but html does not allow. */
const productUrl = (pid: string) =>
	`https://shop.example/products/${pid}/${pid === 'p-1' ? '?filter[color]=red|blue&off=5%#a#b' : ''}`;
const KETTLE = 'products/enamel-kettle';

/** Columns of feeds that a store builds itself. */
const ENDPOINT = `import { ratingFields, reviewsMarkdown } from 'virtual:product-reviews';
import { PRODUCTS } from '../catalog/products.ts';

export const GET = async (context) => {
	const rows = PRODUCTS.map(async ({ pid }) => [pid, {
		openai: await ratingFields(pid, 'openai', context),
		stripe: await ratingFields(pid, 'stripe', context),
		ucp: await ratingFields(pid, 'ucp', context),
		markdown: await reviewsMarkdown(pid, context),
	}]);
	return Response.json(Object.fromEntries(await Promise.all(rows)));
};
`;

let sandbox: Sandbox;
let project: BuildProject;
let pages: ReadonlyMap<string, string>;
/** Pages of every kind, and those whose reviews are odd: most others differ in their texts alone. */
let sample: ReadonlyMap<string, string>;

beforeAll(async () => {
	sandbox = await startSandbox({ port: 0, productUrl });
	project = createProject('../../../../../playground', {
		service: sandbox.url,
		environment: { REVIEWS_TOKEN: sandbox.token, PLAYGROUND_CACHE_DIR: './.cache' },
	});
	writeFileSync(join(project.root, 'src/pages/columns.json.ts'), ENDPOINT);
	expect(await project.build()).not.toContain('different numbers');
	pages = new Map(
		project.files().flatMap((path) => (path.endsWith('.html') ? [[path, project.read(path)]] : [])),
	);
	expect(pages.size).toBe(129);
	const odd = [...pages].filter(([path]) =>
		/kettle|skillet|letter-tray|seagrass|tent-vidde|^(?!products)/.test(path),
	);
	sample = new Map([...odd, ...usually([...pages], 20)]);
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
	const html = pages.get(`${KETTLE}/index.html`) ?? '';
	expect(html).toMatch(from);
	return html.replace(from, to);
}

test('the validator of structured data finds no problems in pages of every kind', async () => {
	for (const [path, html] of sample) expect(await findIssues(html), path).toEqual([]);
});

test.each([
	[/(?<="@type":)"Person","name":"[^"]+"/, '"Person"', 'Product.review[0].author: Required attribute "name"'],
	[/(?<="ratingValue":)[\d.]+/, '9', 'Rating is outside'],
	['"reviewBody":"', '"reviewBody":"</script>', 'script: Could not parse JSON-LD'],
] as const)('it reports %s as %s', async (from, to, issue) => {
	expect((await findIssues(spoil(from, to))).join('\n')).toContain(issue);
});

test('the structured data of a product is one product on its page, rated as the service rates it', async () => {
	const others = new Map(sample);
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
	'the Nu HTML checker finds nothing wrong in pages of every kind, and mistakes in pages that have some',
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
		const problems = await checkHtml([...sample.keys(), ...names].map((path) => join(dist, path)));
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

/** Count and average, to two decimals. */
type Numbers = readonly [count: number, average: number] | undefined;

const numbersOf = (count?: number, average?: number | string): Numbers =>
	count === undefined || average === undefined ? undefined : [count, Math.round(Number(average) * 100) / 100];

/** The numbers that a text names. */
function numbersIn(text: string, pattern: RegExp): Numbers {
	const { count, average } = pattern.exec(text)?.groups ?? {};
	return numbersOf(count === undefined ? undefined : Number(count), average);
}

const IN_JSONLD = /"ratingValue":(?<average>[\d.]+),"reviewCount":(?<count>\d+)/;
const IN_MARKDOWN = /^Rating: (?<average>[\d.]+) of 5, from (?<count>\d+) ratings?\.$/m;
const IN_HTML = /pr-summary-text">(?<average>[\d.]+) out of 5, (?<count>\d+) review/;

const pageOf = (slug: string) => project.read(`products/${slug}/index.html`);
const twinOf = (slug: string) => project.read(`products/${slug}/reviews.md`);

/** What pages, Markdown and the file of ratings say of a product. */
function readForms({ pid, slug }: (typeof PRODUCTS)[number]): Record<string, Numbers> {
	const { count, average } = JSON.parse(project.read('product-ratings.json'))[pid];
	return {
		ratings: numbersOf(count, average),
		jsonld: numbersIn(pageOf(slug), IN_JSONLD),
		markdown: numbersIn(twinOf(slug), IN_MARKDOWN),
		rest: numbersIn(project.read(`products/${slug}/reviews/reviews.md`), IN_MARKDOWN),
	};
}

/** What columns say of a product, as the last build wrote them. */
function readColumns(pid: string): Record<string, Numbers> {
	const { openai, stripe, ucp, markdown } = JSON.parse(project.read('columns.json'))[pid];
	return {
		openai: numbersOf(openai.review_count, openai.star_rating),
		stripe: numbersOf(stripe.product_review_count, stripe.product_review_rating),
		ucp: numbersOf(ucp.rating?.count, ucp.rating?.value),
		endpoint: numbersIn(markdown, IN_MARKDOWN),
	};
}

/** The numbers of each product in the feed, and of the ratings without text or date, which it does not take. */
function readFeed(): Map<string, Numbers> {
	const { review } = new XMLParser().parse(project.read('product-ratings.xml')).feed.reviews;
	const fed = Map.groupBy<string, (typeof review)[number]>(
		review,
		({ products }) => products.product.product_ids.skus.sku,
	);
	return new Map(
		PRODUCTS.map(({ pid }) => {
			const published = sandbox.store.listReviews({ pid }).filter(({ status }) => status === 'published');
			const stars = [
				...(fed.get(pid) ?? []).map(({ ratings }) => Number(ratings.overall)),
				...published
					.filter(({ body, publishedAt }) => !body?.trim() || !publishedAt)
					.map(({ rating }) => rating),
			];
			const sum = stars.reduce((total, one) => total + one, 0);
			return [pid, stars.length === 0 ? undefined : numbersOf(stars.length, sum / stars.length)];
		}),
	);
}

/** Expects the same numbers of a product in every form that was written last. */
function expectSame(product: (typeof PRODUCTS)[number], more: Readonly<Record<string, Numbers>>): Numbers {
	const forms = { ...readForms(product), ...more };
	for (const [form, numbers] of Object.entries(forms))
		expect(numbers, `${product.pid} ${form}`).toEqual(forms['ratings']);
	const html = numbersIn(pageOf(product.slug), IN_HTML);
	// Pages round an average to one decimal.
	expect(html?.[0]).toBe(forms['ratings']?.[0]);
	expect(Math.abs((html?.[1] ?? 0) - (forms['ratings']?.[1] ?? 0))).toBeLessThanOrEqual(0.0501);
	return forms['ratings'];
}

test('html, JSON-LD, Markdown, XML and columns have the same numbers for every product', () => {
	const feed = readFeed();
	const rated = PRODUCTS.filter((product) =>
		expectSame(product, { feed: feed.get(product.pid), ...readColumns(product.pid) }),
	);
	expect(rated.length).toBeGreaterThan(50);
});

test('an event is in page, Markdown and ratings within the same second, and in the feed with the next one', async () => {
	const [kettle] = PRODUCTS.filter(({ slug }) => KETTLE.endsWith(slug));
	if (!kettle) throw new Error('The playground has no kettle.');
	const before = readForms(kettle)['ratings'];
	const review = {
		rating: 1,
		author: 'Eve Example',
		title: 'Rust',
		body: 'It rusts.',
		status: 'published',
	} as const;
	sandbox.store.createReview(kettle.pid, review);
	const { errors } = await project.update([kettle.pid]);
	const times = ['index.html', 'reviews.md', 'reviews/reviews.md']
		.map((name) => `${KETTLE}/${name}`)
		.concat('product-ratings.json')
		.map((name) => statSync(join(project.root, 'dist', name)).mtimeMs);
	expect(Math.max(...times) - Math.min(...times), errors).toBeLessThan(1_000);
	expect(expectSame(kettle, {})?.[0]).toBe((before?.[0] ?? 0) + 1);
	for (const text of [pageOf(kettle.slug), twinOf(kettle.slug)]) expect(text).toContain('It rusts.');

	await project.command(['update', '--feeds']);
	expect(project.read('product-ratings.xml')).toMatch(
		/<name>Eve E\.<\/name>.*<content>It rusts\.<\/content>/,
	);
	for (const product of PRODUCTS) expectSame(product, { feed: readFeed().get(product.pid) });
});
