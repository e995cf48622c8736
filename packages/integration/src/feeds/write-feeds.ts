import { readFile, rename } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { inParallel } from '../base/async.js';
import { addressOfFile, markdownFile, markdownPattern, nameOfAddress, readablePath } from '../base/paths.js';
import { cleanLine } from '../base/words.js';
import type { Dependency, PageStore, StoredPage } from '../cache/page-store.js';
import type { ProductRatingsOptions } from '../options/feeds.js';
import type { BuildOptions } from '../options/schema.js';
import type { PageFinding } from '../pages/audit.js';
import { judgeForms } from '../pages/audit-rules.js';
import { createProductData, type ProductData } from '../pages/build-source.js';
import { canonicalAddress, shownOn } from '../pages/page-row.js';
import { UNKNOWN_PAGE } from '../pages/page-source.js';
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
import { type AggregateRating, ratingOf } from '../records/rating.js';
import { addressFragment } from '../render/address.js';
import type { FragmentRequest, FragmentSettings, ProductFacts } from '../render/fragment.js';
import { markdownFileText } from '../render/markdown.js';
import { NOT_RATED, type Ratings, readRatings, writeRatings } from '../render/rating-columns.js';
import type { ReviewStore } from '../reviews/parts.js';
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

/**
 * Writes the feeds of a build, when all its pages are known.
 * @returns the names of files that are pages themselves, and differences between what pages and feeds say of a product.
 */
export async function writeBuildFeeds(
	reviews: OpenReviews,
	{ options, productRatings, settings, pages, names, folder, base, site, info }: BuildFeedsContext,
) {
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

/** Longest name of a product, in UTF-16 code units. */
const MAX_LETTERS = 200;

/**
 * Lists what the Markdown file of a page shows: each product whose reviews the page shows, once, with the name that the page gives
 * it. What is on the file does not depend on the reviews themselves, so a product may get its first one, or lose its last.
 */
function markdownOf(
	page: Pick<StoredPage, 'address' | 'dependencies' | 'facts'>,
	site: string | undefined,
): readonly Dependency[] {
	const address = site && canonicalAddress(page, site);
	return [...shownOn(page)].map(([pid, from]) => {
		const requests = page.dependencies.flatMap(({ pid: of, request }) => (of === pid && request) || []);
		const own = requests.find(({ component }) => component === 'ReviewSchema')?.props['product'];
		const { name: given } = (own ?? {}) as { readonly name?: unknown };
		const name = typeof given === 'string' ? cleanLine(given, MAX_LETTERS) : undefined;
		const language = requests.find(({ language: known }) => known)?.language;
		const props = name ? { name } : {};
		return { pid, from, request: { component: 'Markdown', props, language, ...(address && { address }) } };
	});
}

interface MarkdownContext extends Pick<BuildFeedsContext, 'folder' | 'base' | 'site'> {
	/** The pages of the build, as they will be kept. */
	readonly pages: Pick<PageStore, 'get' | 'put'>;
	readonly names: Iterable<string>;
	readonly data: Pick<ProductData, 'fragmentOf'>;
}

/**
 * Writes the reviews of a build's pages as Markdown. Each file is a page of its own, with a row, so updates treat it like any
 * other.
 * @param pattern the option `feeds.markdown`.
 * @returns the names of these pages, with what their files show.
 */
export async function* writeMarkdownPages(
	pattern: string,
	{ pages, names, folder, base, site, data }: MarkdownContext,
): AsyncGenerator<readonly [name: string, shown: readonly Dependency[]]> {
	const written = new Set<string>();
	for (const name of names) {
		const page = pages.get(name)?.row;
		const shown = page && page.address !== UNKNOWN_PAGE ? markdownOf(page, site) : [];
		if (!page || shown.length === 0) continue;
		const file = markdownFile(pattern, nameOfAddress(page.address, base));
		const own = `/${file}`;
		// Two pages may have one name, and so one file.
		const before = written.has(own) ? (pages.get(own)?.row.dependencies ?? []) : [];
		const added = shown.filter(({ pid }) => !before.some((one) => one.pid === pid));
		const fragments = await Promise.all(
			[...before, ...added].map(async (dependency) => {
				const fragment = await data.fragmentOf(dependency);
				const { version, digest } = fragment;
				const { html } = addressFragment(fragment, dependency.pid, dependency.request as FragmentRequest);
				return { html, dependency: { ...dependency, version, held: [digest] } };
			}),
		);
		writeText(join(folder, file), markdownFileText(fragments.map(({ html }) => html)));
		const dependencies = fragments.map(({ dependency }) => dependency);
		pages.put(own, { address: readablePath(addressOfFile(file, base)), file, facts: [], dependencies });
		written.add(own);
		yield [own, dependencies];
	}
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

/** Returns what is noted of a product to begin with. `page` is one that shows its reviews. */
const noForms = () => ({
	counts: new Set<number>(),
	averages: new Set<number>(),
	shown: 0,
	fed: 0,
	page: undefined as string | undefined,
});

/** Compares what pages and feeds say of each product. */
export class FormsAudit {
	readonly #products = new Map<string, ReturnType<typeof noForms>>();

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

	#of(pid: string) {
		const known = this.#products.get(pid) ?? noForms();
		this.#products.set(pid, known);
		return known;
	}
}
