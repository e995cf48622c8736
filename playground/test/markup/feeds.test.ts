import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { type Sandbox, startSandbox } from 'product-reviews-sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
	type BuildProject,
	createProject,
} from '../../../packages/integration/test/support/build/project.ts';
import { PRODUCTS } from '../../src/catalog/products.ts';

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
const KETTLE = 'products/enamel-kettle';

let sandbox: Sandbox;
let project: BuildProject;

beforeAll(async () => {
	sandbox = await startSandbox({ port: 0 });
	const environment = { REVIEWS_TOKEN: sandbox.token, PLAYGROUND_CACHE_DIR: './.cache' };
	project = createProject('../../../../../playground', { service: sandbox.url, environment });
	writeFileSync(join(project.root, 'src/pages/columns.json.ts'), ENDPOINT);
	expect(await project.build()).not.toContain('different numbers');
});

afterAll(async () => {
	project?.remove();
	await sandbox?.close();
});

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
