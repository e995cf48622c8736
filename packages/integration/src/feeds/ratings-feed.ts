import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import QuickLRU from 'quick-lru';
import { FUNCTION_LIMIT, within } from '../base/async.js';
import { digestOf } from '../base/digest.js';
import { describeCause, unlessFailing } from '../base/failures.js';
import { amount, count, nameProduct, nameProducts, size } from '../base/words.js';
import type { PageStore, StoredPage } from '../cache/page-store.js';
import { ENVIRONMENT, UNFINISHED } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import type { FeedProduct, ProductRatingsOptions } from '../options/feeds.js';
import { canonicalAddress, shownOn } from '../pages/page-row.js';
import { UNKNOWN_PAGE } from '../pages/page-source.js';
import { keepAccess } from '../project/files.js';
import type { OpenReviews } from '../project/open-reviews.js';
import type { ReviewData } from '../records/record.js';
import { nameOfProduct } from '../render/markdown.js';
import {
	beginFeed,
	FEED_END,
	LEFT_OUT,
	nameProductOf,
	productOfNode,
	writeFeedReviews,
} from './product-ratings.js';

/** Address of a product's page, and the product as that page describes it. */
interface ProductPage extends Pick<StoredPage, 'address' | 'dependencies'> {
	readonly product: FeedProduct | undefined;
}

/** Rows of pages that are kept: those of listings are of many products. */
const MAX_ROWS = 10;

/**
 * Returns a function that finds the page of a product: one with its `<ReviewSchema>`, if there is any, and the first of several by
 * its address. Pages are read one by one, so that memory does not grow with their number.
 * @param namesOf returns the names of the pages that show a product.
 */
export function createPageFinder(
	pages: Pick<PageStore, 'get'>,
	namesOf: (pid: string) => readonly string[],
): (pid: string) => ProductPage | undefined {
	const rows = new QuickLRU<string, StoredPage & { readonly shown: ReadonlySet<string> }>({
		maxSize: MAX_ROWS,
	});
	const read = (name: string) => {
		const known = rows.get(name);
		if (known) return known;
		const row = pages.get(name)?.row;
		if (!row || row.address === UNKNOWN_PAGE) return undefined;
		const read = { ...row, shown: new Set(shownOn(row).keys()) };
		rows.set(name, read);
		return read;
	};
	return (pid) => {
		let best: ProductPage | undefined;
		for (const name of new Set(namesOf(pid))) {
			const row = read(name);
			if (!row?.shown.has(pid)) continue;
			const node = row.dependencies.find((one) => one.pid === pid && one.request?.props['product'])?.request
				?.props['product'];
			const product = typeof node === 'object' && node ? productOfNode({ ...node }) : undefined;
			const page = { ...row, product };
			if (!best || rankOf(page) < rankOf(best)) best = page;
		}
		return best;
	};
}

function rankOf({ address, product }: Omit<ProductPage, 'dependencies'>): string {
	return `${product ? 0 : 1} ${String(address.length).padStart(5, '0')} ${address}`;
}

/** Most bytes of a file: Google's help has named 100 MB as its limit. */
const MOST_BYTES = 99_000_000;

/** Written at once, in bytes. */
const CHUNK = 262_144;

const MOST_NAMED = 20;

/** Says why the feed cannot be written, as a warning for the log; `undefined` if it can. */
export function whyNoFeed(hasReviewData: boolean, site: string | undefined): string | undefined {
	const lacks = (what: string, remedy: string) =>
		`The product ratings feed is not written: it needs ${what}. ${remedy} [PR_FEED_NOT_WRITTEN]`;
	if (!hasReviewData) {
		return lacks(
			'an access token, because only review data has the ids of reviews',
			`Set the option "token" of productReviews(), or ${ENVIRONMENT.token} in the environment or in .env.`,
		);
	}
	return site === undefined
		? lacks('the addresses of pages', 'Set "site" in the Astro configuration.')
		: undefined;
}

/** Reads the review data of a product once, and does not keep it, as pages would: all products are read. */
export async function readData(
	pid: string,
	{ store, reviewData }: Pick<OpenReviews, 'store' | 'reviewData'>,
): Promise<ReviewData | undefined> {
	if (!(await reviewData.settle(pid))) return undefined;
	return store.read(pid, 'review-data')?.record;
}

export interface ProductRatingsContext {
	readonly options: ProductRatingsOptions;
	/** Folder of the pages. */
	readonly folder: string;
	readonly site: string;
	/** Finds the page of a product. */
	readonly pageOf: (pid: string) => ProductPage | undefined;
	/** `undefined` if the service failed for a product and nothing is cached. */
	readonly load: (pid: string) => Promise<ReviewData | undefined>;
	/** Called with what was written of a product, also if its reviews are none. */
	readonly onProduct?: ((pid: string, data: ReviewData) => void) | undefined;
	/** Puts a finished file in its place. @default it is renamed */
	readonly replace?: (from: string, to: string) => Promise<void> | void;
	readonly mostBytes?: number;
}

/**
 * Writes the product ratings feed, product by product: no more than one is in memory.
 * @returns its files, relative to the folder, and lines that say what was written, and what was left out.
 */
export async function writeProductRatings(pids: Iterable<string>, context: ProductRatingsContext) {
	const { options, folder, site, pageOf, load, onProduct, replace = renameSync, mostBytes } = context;
	const left: Partial<Record<keyof typeof LEFT_OUT, number>> = {};
	const leaveOut = (part: keyof typeof LEFT_OUT) => {
		left[part] = (left[part] ?? 0) + 1;
	};
	const without: string[] = [];
	const unknown: string[] = [];
	let products = 0;
	const files = openFeedFiles(join(folder, options.file), beginFeed(options), mostBytes);
	try {
		for (const pid of [...pids].toSorted()) {
			const page = pageOf(pid);
			const given = await productGiven(pid, options);
			const data = await load(pid);
			if (!data) unknown.push(pid);
			if (!data || data.reviews.length === 0) continue;
			const ofPage = { name: nameOfProduct(data), url: page && canonicalAddress(page, site) };
			const product = nameProductOf([given, page?.product, ofPage], leaveOut);
			const { url } = product;
			if (url === undefined) {
				without.push(pid);
				continue;
			}
			products += 1;
			const settings = {
				prefix: digestOf(pid).slice(0, 8),
				incentivizedTag: options.incentivizedTag,
				leaveOut,
			};
			for (const review of writeFeedReviews(data.reviews, { ...product, url }, settings)) files.add(review);
			onProduct?.(pid, data);
		}
		const written = files.end();
		for (const { path } of written) await replace(path + UNFINISHED, path);
		files.removeOlder();
		const names = written.map(({ path }) => path.slice(join(folder, '/').length));
		const parts = written.map(
			({ bytes, reviews }, index) => `${names[index]} (${count(reviews, 'review')}, ${size(bytes)})`,
		);
		const omitted = Object.entries(left).map(
			([part, times]) => `${LEFT_OUT[part as keyof typeof LEFT_OUT]} (${amount(times)})`,
		);
		const lines = [`Product ratings of ${count(products, 'product')}: ${parts.join(', ')}`];
		const skipped = { 'without a page': without, 'that could not be read': unknown };
		for (const [why, pids] of Object.entries(skipped).filter(([, pids]) => pids.length > 0))
			omitted.push(`${count(pids.length, 'product')} ${why} (${nameProducts(pids, MOST_NAMED)})`);
		if (omitted.length > 0) lines.push(`Product ratings leave out: ${omitted.join(', ')}`);
		return { files: names, lines };
	} finally {
		files.abandon();
	}
}

/** @throws ProductReviewsConfigurationError if the site's own function fails */
async function productGiven(
	pid: string,
	{ product }: ProductRatingsOptions,
): Promise<FeedProduct | undefined> {
	try {
		const given = product?.(pid);
		return (given && (await within(given, FUNCTION_LIMIT, late))) ?? undefined;
	} catch (cause) {
		throw new ProductReviewsConfigurationError(
			'PR_FEED_PRODUCT',
			`The function of the option "feeds.productRatings.product" failed for the product ${nameProduct(pid)}: ${describeCause(cause)}`,
			'The error came from there. Return undefined for a product that the function does not know.',
			{ cause },
		);
	}
}

function late(): never {
	throw new Error(`it did not respond within ${FUNCTION_LIMIT / 1_000} seconds.`);
}

/** Opens the files of a feed, which are written beside their places. */
function openFeedFiles(path: string, head: string, most = MOST_BYTES) {
	const written: { path: string; bytes: number; reviews: number }[] = [];
	let descriptor: number | undefined;
	/** Holds what is to be written. As texts, reviews would be kept in the hundred pieces that each is made of. */
	const waiting = Buffer.allocUnsafe(CHUNK);
	let waitingBytes = 0;
	/** A number after a dash would make it look like a part of a sitemap. */
	const pathOf = (index: number) => (index === 0 ? path : path.replace(/\.xml$/, `.${index + 1}.xml`));
	const flush = () => {
		if (descriptor !== undefined) writeFileSync(descriptor, waiting.subarray(0, waitingBytes));
		waitingBytes = 0;
	};
	const write = (text: string, bytes = Buffer.byteLength(text)) => {
		if (waitingBytes + bytes > CHUNK) flush();
		if (bytes <= CHUNK) waitingBytes += waiting.write(text, waitingBytes);
		else if (descriptor !== undefined) writeFileSync(descriptor, text);
		return bytes;
	};
	const begin = () => {
		const file = { path: pathOf(written.length), bytes: FEED_END.length, reviews: 0 };
		written.push(file);
		descriptor = openSync(file.path + UNFINISHED, 'w');
		keepAccess(descriptor, file.path);
		file.bytes += write(head);
		return file;
	};
	const close = () => {
		if (descriptor === undefined) return;
		write(FEED_END);
		flush();
		closeSync(descriptor);
		descriptor = undefined;
	};
	mkdirSync(dirname(path), { recursive: true });
	let file = begin();
	return {
		add(review: string): void {
			const bytes = Buffer.byteLength(review);
			if (file.reviews > 0 && file.bytes + bytes > most) {
				close();
				file = begin();
			}
			file.bytes += write(review, bytes);
			file.reviews += 1;
		},
		/** Ends the last file. @returns all of them */
		end() {
			close();
			return written;
		},
		/** Removes files of an earlier feed that was longer. */
		removeOlder(): void {
			let index = written.length;
			const removeNext = () => {
				rmSync(pathOf(index++));
				return true;
			};
			while (unlessFailing(removeNext));
		},
		/** Removes what is not finished. */
		abandon(): void {
			if (descriptor !== undefined) closeSync(descriptor);
			for (const { path } of written) rmSync(path + UNFINISHED, { force: true });
		},
	};
}
