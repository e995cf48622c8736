import { readFile, rename } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { inParallel } from '../base/async.js';
import { markdownPattern } from '../base/paths.js';
import type { PageStore } from '../cache/page-store.js';
import type { ProductRatingsOptions } from '../options/feeds.js';
import type { BuildOptions } from '../options/schema.js';
import type { PageFinding } from '../pages/audit.js';
import { judgeForms } from '../pages/audit-rules.js';
import { createProductData } from '../pages/build-source.js';
import {
	copiesOf,
	type RenewContext,
	renewText,
	replaceCopies,
	replaceFile,
	writeText,
} from '../project/files.js';
import type { Manifest } from '../project/manifest.js';
import type { OpenReviews } from '../project/open-reviews.js';
import { openProductList } from '../project/product-list.js';
import { PARTS, type Part } from '../records/parts.js';
import type { AggregateRating } from '../records/rating.js';
import { ratingOf } from '../records/rating.js';
import type { FragmentSettings, ProductFacts } from '../render/fragment.js';
import { NOT_RATED, type Ratings, readRatings, writeRatings } from '../render/rating-columns.js';
import type { ReviewStore } from '../reviews/parts.js';
import { writeMarkdownPages } from './markdown-pages.js';
import { createPageFinder, readData, whyNoFeed, writeProductRatings } from './ratings-feed.js';

/** File of the option `feeds.ratings`, in the output folder. */
const RATINGS_FILE = 'product-ratings.json';

interface BuildFeedsContext {
	readonly options: Pick<BuildOptions, 'feeds' | 'audit'>;
	/** That of the option, if it can be written. */
	readonly productRatings: ProductRatingsOptions | undefined;
	readonly settings: FragmentSettings;
	/** The build's pages, as their files are, and their names. */
	readonly pages: PageStore;
	readonly names: ReadonlySet<string>;
	/** Folder of the pages. */
	readonly folder: string;
	readonly base: string;
	readonly site: string | undefined;
	readonly info: (message: string) => void;
}

export interface WrittenFeeds {
	/** Of files that are pages themselves. */
	readonly names: readonly string[];
	/** Differences between what pages and feeds say of a product. */
	readonly findings: readonly PageFinding[];
}

/** Writes the feeds of a build, when all its pages are known. */
export async function writeBuildFeeds(
	reviews: OpenReviews,
	{ options, productRatings, settings, pages, names, folder, base, site, info }: BuildFeedsContext,
): Promise<WrittenFeeds> {
	const { store, results, reviewData } = reviews;
	const { feeds, audit } = options;
	const markdown = markdownPattern(feeds);
	const hasFeeds = productRatings !== undefined || markdown !== undefined || feeds.ratings;
	const forms = hasFeeds && audit !== 'off' ? new FormsAudit() : undefined;
	for (const name of forms ? names : []) {
		const page = pages.get(name)?.row;
		if (page) forms?.addPage(page.address, page.facts);
	}
	const pids = new Set(Object.values(results).flatMap((products) => [...products.keys()]));
	if (feeds.ratings) {
		const ratings = ratingsOf(pids, store);
		for (const [pid, rating] of ratings) forms?.addForm(pid, 'average' in rating ? rating : undefined);
		writeText(join(folder, RATINGS_FILE), writeRatings(ratings));
	}
	if (productRatings && site !== undefined) {
		const { lines } = await writeProductRatings(pids, {
			...{ options: productRatings, folder, site },
			pageOf: createPageFinder(pages, (pid) => pages.showing(pid)),
			load: (pid) => readData(pid, { store, reviewData }),
			onProduct: (pid, { aggregate, reviews: fed }) => forms?.addForm(pid, aggregate, fed.length),
		});
		for (const line of lines) info(line);
	}
	const own: string[] = [];
	if (markdown !== undefined) {
		const data = createProductData({ ...reviews, settings });
		const written = writeMarkdownPages(markdown, { pages, names, folder, base, site, data });
		for await (const [name, shown] of written) {
			own.push(name);
			for (const { pid, from } of forms ? shown : [])
				if (from !== 'shop') forms?.addForm(pid, (await data.loadRating(from, pid)).value);
		}
	}
	return { names: own, findings: forms?.findings ?? [] };
}

/** Options that no manifest has: those of feeds with their functions, and the product list. */
export type GivenFeeds = Pick<BuildOptions, 'feeds' | 'products'>;

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
	pages: PageStore,
	{ build, folder, copies: others, isDryRun, warn }: FeedsContext,
): Promise<readonly string[]> {
	const { store, reviewData } = reviews;
	const { ratings, productRatings: options } = feeds;
	const pids = new Set(pages.products());
	const list = products && openProductList(products, undefined, warn);
	if (list) for await (const pid of list.products) pids.add(pid);
	const written: string[] = [];
	const replaced = async (name: string) => void written.push(name, ...(await copiesOf(folder, name)));
	if (ratings) {
		await settleRatings([...pids], reviews);
		const text = writeRatings(ratingsOf(pids, store));
		if (!isDryRun) {
			await replaceCopies(RATINGS_FILE, Buffer.from(text), others);
			await replaceFile(join(folder, RATINGS_FILE), Buffer.from(text));
		}
		await replaced(RATINGS_FILE);
	}
	const { site } = build;
	const lack = options && whyNoFeed(build.hasToken || build.provider !== undefined, site);
	if (lack !== undefined) warn(lack);
	if (!options || site === undefined || lack !== undefined) return written;
	if (isDryRun) return [...written, options.file];
	await inParallel([...pids], AT_ONCE, async (pid) => void (await reviewData.settle(pid)));
	const { files, lines } = await writeProductRatings(pids, {
		...{ options, folder, site },
		pageOf: createPageFinder(pages, (pid) => pages.shown([pid]).flatMap((shown) => shown.pages)),
		load: (pid) => readData(pid, { store, reviewData }),
		async replace(from, to) {
			const name = relative(folder, to);
			const copies = await copiesOf(folder, name);
			if (copies.length === 0 && others.length === 0) return rename(from, to);
			// Only copies are made of the file as a whole.
			const contents = await readFile(from);
			await replaceCopies(name, contents, others);
			return replaceFile(to, contents);
		},
	});
	for (const line of lines) warn(line);
	for (const name of files) await replaced(name);
	return written;
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

/** Finds where a product's rating is read, as pages read it: from its reviews if they are known. `undefined` if nothing is known. */
function originOfRating(pid: string, store: ReviewStore): Part | undefined {
	return PARTS.find((part) => store.entry(pid, part) !== undefined);
}

function ratingsOf(pids: Iterable<string>, store: ReviewStore): Ratings {
	const known = [...pids].flatMap((pid) => {
		const origin = originOfRating(pid, store);
		const rating = origin && ratingOf(store.entry(pid, origin)?.summary);
		return origin ? [[pid, rating ?? NOT_RATED] as const] : [];
	});
	return new Map(known);
}

interface NotedForms {
	readonly counts: Set<number>;
	readonly averages: Set<number>;
	shown: number;
	fed: number;
	/** A page that shows reviews of the product. */
	page: string | undefined;
}

/** Compares what pages and feeds say of each product. */
export class FormsAudit {
	readonly #products = new Map<string, NotedForms>();

	/** Notes what a page shows, again if more is known of it. */
	addPage(page: string, facts: readonly ProductFacts[]): void {
		for (const one of facts) {
			const product = this.#of(one.pid);
			if ('count' in one && one.count !== undefined) product.counts.add(one.count);
			if (one.component === 'ReviewSchema' || 'shown' in one) product.page ??= page;
			// What own markup shows is not known: it gets the benefit of the doubt.
			const isAll = one.component === 'own-markup' || ('isAll' in one && one.isAll);
			const isSeen = !('display' in one) || one.display !== 'hidden';
			const shown = isAll ? Number.POSITIVE_INFINITY : 'shown' in one ? one.shown : 0;
			if (isSeen) product.shown = Math.max(product.shown, shown);
		}
	}

	/** Notes what a feed says. @param fed how many reviews of the product it has */
	addForm(pid: string, rating: AggregateRating | undefined, fed = 0): void {
		const product = this.#of(pid);
		if (rating) {
			product.counts.add(rating.count);
			product.averages.add(rating.average);
		}
		product.fed = Math.max(product.fed, fed);
	}

	/** Returns the findings about products that pages show. */
	get findings(): readonly PageFinding[] {
		return [...this.#products].flatMap(([pid, { page, ...forms }]) =>
			page === undefined ? [] : judgeForms(forms).map((rule) => ({ rule, page, pids: [pid] })),
		);
	}

	#of(pid: string): NotedForms {
		const empty: NotedForms = {
			counts: new Set<number>(),
			averages: new Set<number>(),
			shown: 0,
			fed: 0,
			page: undefined,
		};
		const known = this.#products.get(pid) ?? empty;
		this.#products.set(pid, known);
		return known;
	}
}
