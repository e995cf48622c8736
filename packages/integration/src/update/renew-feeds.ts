import { readFile, rename } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { PageStore } from '../cache/page-store.js';
import { readRatings, writeRatings } from '../feeds/columns.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import { copiesOf, type RenewContext, renewText, replaceFile } from '../project/files.js';
import type { Manifest } from '../project/manifest.js';
import { originOfRating, RATINGS_FILE, ratingsOf } from '../session/feeds.js';
import type { OpenReviews } from '../session/open-reviews.js';
import { openProductList } from '../session/product-list.js';
import { ProductPages, readData, whyNoFeed, writeProductRatings } from '../session/product-ratings.js';
import { inParallel } from './compare-pages.js';

/** Products asked for together. */
const AT_ONCE = 100;

/** Asks for what the ratings of products are read from. */
async function settleRatings(pids: readonly string[], reviews: OpenReviews): Promise<void> {
	const { store, reviewData, ratings } = reviews;
	const resources = { reviews: reviews.reviews, 'review-data': reviewData, rating: ratings };
	await inParallel(pids, AT_ONCE, async (pid) => {
		const origin = originOfRating(pid, store);
		if (origin) await resources[origin]?.settle(pid);
	});
}

/** Writes new ratings into the file of the option `feeds.ratings`. @returns its name and those of its copies, if it changed */
export async function renewRatings(
	pids: readonly string[],
	reviews: OpenReviews,
	context: RenewContext,
): Promise<readonly string[]> {
	const text = await readFile(join(context.folder, RATINGS_FILE), 'utf8').catch(() => undefined);
	if (text === undefined) return [];
	await settleRatings(pids, reviews);
	const before = readRatings(text);
	const now = [...ratingsOf(pids, reviews.store)].filter(([pid, { count }]) => before.has(pid) || count > 0);
	return renewText(RATINGS_FILE, writeRatings(new Map([...before, ...now])), context);
}

/** What only the configuration of a site says: its options of feeds with their functions, and its product list. */
export type GivenFeeds = Pick<ProductReviewsOptions, 'feeds' | 'products'>;

interface FeedsContext extends RenewContext {
	readonly build: Manifest;
	readonly warn: (message: string) => void;
}

/**
 * Writes the files of all products anew: those of the list, and those that pages show.
 * @returns their names and those of their copies.
 */
export async function writeFeeds(
	{ feeds, products }: GivenFeeds,
	reviews: OpenReviews,
	stored: PageStore,
	{ build, folder, isDryRun, warn }: FeedsContext,
): Promise<readonly string[]> {
	const { store, reviewData } = reviews;
	const { ratings, productRatings: options } = feeds;
	const pages = new ProductPages();
	const pids = new Set<string>();
	for (const name of stored.names()) {
		const page = stored.get(name)?.row;
		for (const { pid } of page?.dependencies ?? []) pids.add(pid);
		if (page) pages.add(page);
	}
	const list = products && openProductList(products, undefined, warn);
	if (list) for await (const pid of list.products) pids.add(pid);
	const written: string[] = [];
	const replaced = async (name: string) => void written.push(name, ...(await copiesOf(folder, name)));
	if (ratings) {
		await settleRatings([...pids], reviews);
		const text = writeRatings(ratingsOf(pids, store));
		if (!isDryRun) await replaceFile(join(folder, RATINGS_FILE), Buffer.from(text));
		await replaced(RATINGS_FILE);
	}
	const { site } = build;
	const lack = options && whyNoFeed(build.hasToken || build.provider !== undefined, site);
	if (lack !== undefined) warn(lack);
	if (!options || site === undefined || lack !== undefined) return written;
	if (isDryRun) return [...written, options.file];
	await inParallel([...pids], AT_ONCE, async (pid) => void (await reviewData.settle(pid)));
	const load = (pid: string) => readData(pid, { store, reviewData });
	const replace = async (from: string, to: string) => {
		const copies = await copiesOf(folder, relative(folder, to));
		// Only copies are made of the file as a whole.
		return copies.length === 0 ? rename(from, to) : replaceFile(to, await readFile(from));
	};
	const { files, lines } = await writeProductRatings(pids, { options, folder, site, pages, load, replace });
	for (const line of lines) warn(line);
	for (const name of files) await replaced(name);
	return written;
}
