import { join } from 'node:path';
import type { PageStore } from '../cache/page-store.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import { NOT_RATED, type Ratings, writeRatings } from '../feeds/columns.js';
import { nameOfProduct, writeMarkdown } from '../feeds/markdown.js';
import { labelsFor } from '../labels/page-labels.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import { fileNameOf, fullAddress, isInside, type StoredPage, shownOn } from '../pages/page.js';
import { type CondensedRecord, restoreRecord } from '../parse/condensed-record.js';
import { type AggregateRating, ratingOf } from '../parse/rating.js';
import type { ProductReviews, ReviewData } from '../parse/record.js';
import { writeText } from '../project/files.js';
import type { FragmentSettings } from '../render/fragment.js';
import { PARTS, type Part, type Resource, type ReviewStore } from '../reviews/parts.js';
import { formAuthors } from '../text/author.js';
import { cleanLine, plainLine } from '../text/words.js';

/** File of the option `feeds.ratings`, in the output folder. */
export const RATINGS_FILE = 'product-ratings.json';

/** Where a product's rating is read, as pages read it: from its reviews if they are known. `undefined` if nothing is known. */
export function originOfRating(pid: string, store: ReviewStore): Part | undefined {
	return PARTS.find((part) => store.entry(pid, part) !== undefined);
}

export function ratingsOf(pids: Iterable<string>, store: ReviewStore): Ratings {
	const known = [...pids].flatMap((pid) => {
		const origin = originOfRating(pid, store);
		const rating = origin && ratingOf(store.entry(pid, origin)?.summary);
		return origin ? [[pid, rating ?? NOT_RATED] as const] : [];
	});
	return new Map(known);
}

/** Writes the ratings of all products of a build. @param folder of its pages. */
export function writeRatingsFile(
	pids: Iterable<string>,
	store: ReviewStore,
	folder: string,
	onRating?: OnRating,
): void {
	const ratings = ratingsOf(pids, store);
	for (const [pid, rating] of ratings) onRating?.(pid, 'average' in rating ? rating : undefined);
	writeText(join(folder, RATINGS_FILE), writeRatings(ratings));
}

/** Name of a page's reviews as Markdown, beside its `index.html`. */
const TWIN = 'reviews.md';

/** Longest path in a message, and name of a product, in UTF-16 code units. */
const MOST_LETTERS = 200;

/**
 * Returns a function that says which file has a page's reviews as Markdown, by the name of the page; `undefined` if pages have
 * none. It throws ProductReviewsConfigurationError if the site's own function names no file, or the file of another page.
 */
export function createTwins({
	markdown,
}: ProductReviewsOptions['feeds']): ((name: string) => string) | undefined {
	if (markdown === false) return undefined;
	if (markdown === true) return (name) => (name === '' ? TWIN : `${fileNameOf(name)}/${TWIN}`);
	const owners = new Map<string, string>();
	return (name) => {
		const page = fileNameOf(name) || 'index';
		const given: unknown = markdown.path(page);
		const file = typeof given === 'string' ? given.replace(/^\/+/, '') : '';
		const owner = owners.get(file) ?? name;
		owners.set(file, owner);
		if (file.endsWith('.md') && isInside(file) && owner === name) return file;
		const wrong =
			owner === name
				? 'is not the path of a file in the output folder that ends in .md'
				: 'is that of another page, too';
		throw new ProductReviewsConfigurationError(
			'PR_FEED_PATH',
			`The option "feeds.markdown.path" returned "${plainLine(String(given), MOST_LETTERS)}" for the page "${plainLine(page, MOST_LETTERS)}", which ${wrong}.`,
			`Return a path of its own for each page, such as "${page}.md".`,
		);
	};
}

/** The path of a file's address. @param file relative to the output folder. */
export function addressOfFile(file: string, base: string): string {
	return `${base.replace(/\/$/, '')}/${file.split('/').map(encodeURIComponent).join('/')}`;
}

/** Reads what pages show of a product; `undefined` if they show nothing. */
export type ReadData = (
	from: Resource,
	pid: string,
) => ProductReviews | ReviewData | undefined | Promise<ProductReviews | ReviewData | undefined>;

/** Reads what the cache has of a product, whether it is current or not. */
export function readStored(
	store: ReviewStore,
	from: Resource,
	pid: string,
): ProductReviews | ReviewData | undefined {
	const record = store.read(pid, from);
	if (record === undefined || from === 'review-data') return record as ReviewData | undefined;
	return restoreRecord(record as CondensedRecord);
}

export interface TwinContext {
	readonly site: string | undefined;
	readonly settings: Pick<FragmentSettings, 'labels' | 'authorNames'>;
	readonly read: ReadData;
	/** Called with the rating of each product. */
	readonly onRating?: OnRating | undefined;
}

export type OnRating = (pid: string, rating: AggregateRating | undefined) => void;

/** The reviews that a page shows, as Markdown. */
export async function twinText(
	page: Pick<StoredPage, 'address' | 'dependencies' | 'facts'>,
	{ site, settings, read, onRating }: TwinContext,
): Promise<string> {
	const { labels, authorNames } = settings;
	const address = site && fullAddress(page.address, site);
	const products = [...shownOn(page)].map(async ([pid, from]) => {
		const data = await read(from, pid);
		onRating?.(pid, data?.aggregate);
		const requests = page.dependencies.flatMap(({ pid: of, request }) => (of === pid && request) || []);
		const own = requests.find(({ component }) => component === 'ReviewSchema')?.props['product'];
		const { name } = (own ?? {}) as { readonly name?: unknown };
		const language = requests.find(({ language: known }) => known)?.language ?? 'en';
		return {
			name: (typeof name === 'string' && cleanLine(name, MOST_LETTERS)) || nameOfProduct(data),
			address,
			data: data && formAuthors<ProductReviews | ReviewData>(data, authorNames),
			anonymous: labelsFor(labels, language).anonymous,
		};
	});
	return writeMarkdown(await Promise.all(products));
}

/** Writes the reviews of a build's pages as Markdown. @param names of the pages. */
export async function writeTwins(
	names: Iterable<string>,
	pages: Pick<PageStore, 'get'>,
	{ folder, ...context }: TwinContext & { readonly folder: string },
): Promise<void> {
	for (const name of names) {
		const page = pages.get(name)?.row;
		if (page?.twin !== undefined) writeText(join(folder, page.twin), await twinText(page, context));
	}
}
