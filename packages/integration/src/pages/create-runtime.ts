import { addressOfFile, markdownFile, nameOfAddress } from '../base/paths.js';
import { formAuthors } from '../base/people.js';
import { type ProductId, productIdOf } from '../base/product-id.js';
import { InvalidPropError } from '../errors.js';
import type { AggregateRating } from '../records/rating.js';
import type { ProductReviews, Review, ReviewData } from '../records/record.js';
import { addressFragment } from '../render/address.js';
import {
	type Facts,
	type Fragment,
	type FragmentRequest,
	findUnkeptProp,
	pageAddress,
	SHOP,
	type StoredData,
	toJsonProps,
} from '../render/fragment.js';
import { html } from '../render/html.js';
import { nameOfProduct, writeMarkdown } from '../render/markdown.js';
import { labelsFor } from '../render/page-labels.js';
import { type Props, readChoice } from '../render/props.js';
import {
	questionColumns,
	RATING_COLUMNS,
	RATING_FORMATS,
	type RatingFields,
	type RatingFormat,
} from '../render/rating-columns.js';
import { type ReviewListProps, writeReviewList } from '../render/render-review-list.js';
import {
	type ReviewSectionProps,
	readSection,
	type SectionParts,
	type SectionSlot,
} from '../render/render-section.js';
import {
	countPages,
	type ReviewSelection,
	readPageSize,
	selectPage,
	selectReviews,
} from '../render/select-reviews.js';
import { componentOf, FALLBACK, writeFragment } from '../render/write-fragment.js';
import {
	createPageSource,
	isPromise,
	type MaybePromise,
	NO_PAGE,
	NO_SOURCE_MARK,
	NoReviewSourceError,
	type PageContext,
	type ReviewSource,
	type RuntimePlace,
	type RuntimeSettings,
	when,
} from './page-source.js';

/** The functions of `virtual:product-reviews`, and those that components call. */
export interface Runtime {
	/**
	 * The html of a component on one line; empty if there is nothing to show. A promise only if the page has to wait for it.
	 * @param page `Astro`
	 * @throws TypeError for an invalid prop. Like all its errors, it is a rejection.
	 */
	fragmentHtml(component: string, props: Props, page: PageContext): string | Promise<string>;
	/** The html of a `<ReviewList>` whose reviews the page writes itself. */
	ownListHtml(
		props: ReviewListProps,
		page: PageContext,
		own: (review: Required<Review>) => Promise<string>,
	): Promise<string>;
	/**
	 * The parts of a `<ReviewSection>` with slots.
	 * @param slots what the page writes itself.
	 */
	reviewSectionParts(
		props: ReviewSectionProps,
		page: PageContext,
		slots: readonly SectionSlot[],
	): Promise<PlacedSection>;
	getProductReviews(pid: ProductId, page?: PageContext): Promise<ProductReviews | undefined>;
	getStarRating(pid: ProductId, page?: PageContext): Promise<AggregateRating | undefined>;
	getReviewData(pid: ProductId, page?: PageContext): Promise<ReviewData | undefined>;
	/** The reviews of a product as Markdown, for an endpoint of the site. */
	reviewsMarkdown(pid: ProductId, page?: PageContext): Promise<string>;
	/**
	 * The pages that the reviews of a product fill, for `getStaticPaths()`.
	 * @throws TypeError for an invalid selection
	 */
	reviewPages(pid: ProductId, list?: PagedList): Promise<readonly ReviewPage[]>;
	/** The columns of a product feed that are about reviews. @throws TypeError for an unknown format */
	ratingFields<Format extends RatingFormat>(
		pid: ProductId,
		format: Format,
		page?: PageContext,
	): Promise<RatingFields[Format]>;
	/**
	 * A key for a page that shows these products.
	 * @param own a key for everything else on the page.
	 * @param page `Astro`, where the page itself shows the key. `getStaticPaths()` has none.
	 */
	reviewsCacheKey(pids: readonly ProductId[], own?: string, page?: PageContext): Promise<string>;
	/** The reviews of a product, and when a server that renders on demand got them. */
	reviewEntry(pid: ProductId): Promise<{
		readonly data: ProductReviews | undefined;
		readonly changedAt: number | undefined;
	}>;
	/** Makes a server that renders on demand request products again. @default all products */
	forgetReviews(pids?: readonly ProductId[]): Promise<boolean>;
}

/** A list with pages of its own. */
export interface PagedList extends Pick<ReviewSelection, 'filter' | 'limit'> {
	/** The component that shows it: `<ProductReviews>` may have fewer reviews. @default 'ReviewSection' */
	component?: (typeof LISTS)[number] | undefined;
	/** Number of reviews on each page. @default 20 */
	perPage?: number | undefined;
}

/** A page of a list, as `getStaticPaths()` returns it. */
export interface ReviewPage {
	readonly params: { readonly page: string };
	/** Props of the component. */
	readonly props: { readonly page: number; readonly perPage: number };
}

const LISTS = ['ReviewSection', 'ReviewList', 'ProductReviews'] as const;

type ListData = 'reviews' | 'review-data';

type PlacedSection =
	| { readonly html: string; readonly attributes?: undefined }
	| (Partial<SectionParts> & { readonly html?: undefined; readonly attributes: Props });

export function createRuntime(settings: RuntimeSettings, place: RuntimePlace = {}): Runtime {
	const { find, ask, forget, nameOf } = createPageSource(settings, place);
	const load = <From extends keyof StoredData>(from: From, pid: string, page: PageContext | undefined) =>
		ask(from, pid, page, (source) => LOADERS[from](source, pid, nameOf(page)));
	const loadFormed = async <From extends ListData>(
		from: From,
		pid: string,
		page: PageContext | undefined,
	) => {
		const data = await load(from, pid, page);
		return data && formAuthors(data, settings.authorNames);
	};
	/** Notes that only the page itself can write what it shows of a product again, and why. */
	const noteUse = async (pid: string, page: PageContext | undefined, by: string) =>
		find()?.place({ component: 'use', pid, by }, nameOf(page));
	const placeOwnMarkup = async (pid: string, page: PageContext | undefined, by: string) => {
		await noteUse(pid, page, by);
		await find()?.place({ component: 'own-markup', pid }, nameOf(page));
	};
	const getOwn = async <From extends ListData>(
		from: From,
		given: ProductId,
		page: PageContext | undefined,
		by: string,
	) => {
		const pid = productIdOf(given, by);
		const [data] = await Promise.all([loadFormed(from, pid, page), placeOwnMarkup(pid, page, by)]);
		// A copy, because a page may sort it in place, which must not affect what components write.
		return structuredClone(data);
	};
	const placeAll = async (pid: string, facts: readonly Facts[], page: PageContext) => {
		for (const one of facts) await find()?.place({ ...one, pid }, nameOf(page));
	};
	const optionsFor = ({ currentLocale = 'en' }: PageContext) => ({
		...settings,
		language: currentLocale,
		// Reviews that the page writes open nothing of ours.
		id: () => '',
	});
	/**
	 * Returns what a component writes. All that a build can write anew has an address: a function as a prop is known to
	 * the page alone.
	 */
	const fragmentOf = (
		component: string,
		{ pid: given, ...props }: Props,
		page: PageContext,
	): MaybePromise<Fragment> => {
		const { from, isAddressed, read } = componentOf({ component, props });
		const pid = from === 'shop' ? SHOP : productIdOf(given, `<${component}>`);
		return naming(component, pid, () => {
			const plain = read?.(props, { site: page.site, base: settings.base }) ?? { props };
			const request: FragmentRequest = {
				...plain,
				component,
				props: toJsonProps(plain.props),
				language: page.currentLocale,
				...(isAddressed && { address: pageAddress(page, settings) }),
			};
			const unkept = findUnkeptProp(request);
			if (from === 'shop' && unkept !== undefined)
				throw new InvalidPropError(
					`expected \`${unkept}\` to be data, such as a text: an update writes the list again without the page.`,
				);
			const isPlain = unkept === undefined;
			const writeHere = async (source: ReviewSource): Promise<Fragment> => {
				const stored = await LOADERS[from](source, pid, nameOf(page));
				const fragment = writeFragment(pid, stored, request, settings);
				await placeAll(pid, fragment.facts, page);
				if (!isPlain) await noteUse(pid, page, `the prop \`${unkept}\` of <${component}>`);
				return fragment;
			};
			const fragment = ask(from, pid, page, (source) =>
				source.getFragment && isPlain ? source.getFragment(pid, request, nameOf(page)) : writeHere(source),
			);
			return when(fragment, (known) => {
				const written = known ?? writeFragment(pid, undefined, request, settings);
				return isPlain ? addressFragment(written, pid, request) : written;
			});
		});
	};

	/** Says where the page has its reviews as Markdown. It is there before the first review, so no update has to write it. */
	const linkOf = (page: PageContext, pattern: string): string => {
		const address = nameOf(page);
		if (address === undefined) return '';
		const { base = '/' } = settings;
		const file = addressOfFile(markdownFile(pattern, nameOfAddress(address, base)), base);
		return html`<link rel="alternate" type="text/markdown" href="${file}">`.toString();
	};

	const runtime: Runtime = {
		fragmentHtml(component, given, page) {
			try {
				const fragment = when(withFallback(given, page), (props) =>
					when(fragmentOf(component, props, page), ({ html }) => html),
				);
				if (component !== 'ReviewSchema' || settings.markdown === undefined) return fragment;
				// Of a request that a build cannot keep, it does not know that the page has one. `product` is made such that it can.
				const { product: _read, limit: _count, ...others } = given;
				if (findUnkeptProp({ props: others }) !== undefined) return fragment;
				const link = linkOf(page, settings.markdown);
				return when(fragment, (written) => link + written);
			} catch (error) {
				// If a component throws, Astro does not handle promises of earlier ones, and their errors would end the process.
				return Promise.reject(error);
			}
		},
		async ownListHtml({ pid: given, ...props }, page, own) {
			const pid = productIdOf(given, '<ReviewList>');
			const formed = await loadFormed('review-data', pid, page);
			return naming('ReviewList', pid, async () => {
				const written = await Promise.all(selectPage(formed?.reviews ?? [], props).shown.map(own));
				const { html, facts } = writeReviewList(formed, props, optionsFor(page), written);
				await placeAll(pid, facts, page);
				await noteUse(pid, page, 'the reviews inside <ReviewList>');
				return html === '' && formed ? ((await fallbackOf(page)) ?? '') : html;
			});
		},
		async reviewSectionParts(props, page, slots) {
			// At once if possible: a page is tagged before its head is sent.
			const { html, parts } = await when(withFallback({ ...props, slots }, page), (given) =>
				fragmentOf('ReviewSection', given, page),
			);
			if (!parts) return { html };
			const { pid: _pid, ...others } = props;
			return { ...parts, attributes: readSection(others, optionsFor(page)).root };
		},
		getProductReviews: (given, page) => getOwn('reviews', given, page, 'getProductReviews()'),
		getReviewData: (given, page) => getOwn('review-data', given, page, 'getReviewData()'),
		async getStarRating(given, page) {
			const pid = productIdOf(given, 'getStarRating()');
			const rating = (await load('rating', pid, page))?.aggregate;
			await noteUse(pid, page, 'getStarRating()');
			if (rating) await find()?.place({ component: 'StarRating', pid, count: rating.count }, nameOf(page));
			return structuredClone(rating);
		},
		async reviewsMarkdown(given, page = {}) {
			const pid = productIdOf(given, 'reviewsMarkdown()');
			const data = await loadFormed('reviews', pid, page);
			const { labels, language } = optionsFor(page);
			return writeMarkdown([
				{
					name: nameOfProduct(data),
					address: data?.schema?.url,
					data,
					anonymous: labelsFor(labels, language).anonymous,
				},
			]);
		},
		async reviewPages(given, { component = 'ReviewSection', perPage: size, ...selection } = {}) {
			const pid = productIdOf(given, 'reviewPages()');
			const known = readChoice('`component` of reviewPages()', component, LISTS);
			const from = componentOf({ component: known, props: {} }).from as ListData;
			// No page shows it: each page of the list says how many there are.
			const data = await ask<Pick<ProductReviews, 'reviews'> | undefined>(from, pid, undefined, (source) =>
				LOADERS[from](source, pid, NO_PAGE),
			);
			const limit = selection.limit ?? Number.POSITIVE_INFINITY;
			const reviews = selectReviews<Review>(data?.reviews ?? [], { ...selection, limit });
			return pagesOf(reviews.length, size);
		},
		async ratingFields(given, format, page) {
			const pid = productIdOf(given, 'ratingFields()');
			const known: RatingFormat = readChoice('the format of ratingFields()', format, RATING_FORMATS);
			if (known === 'google-questions')
				return questionColumns((await load('review-data', pid, page))?.questions ?? []);
			const rating = (await load('rating', pid, page))?.aggregate;
			return rating ? RATING_COLUMNS[known](rating) : {};
		},
		async reviewsCacheKey(pids, own = '', page) {
			const checked = pids.map((pid) => productIdOf(pid, 'reviewsCacheKey()'));
			if (page)
				await Promise.all(
					checked.flatMap((pid) => [
						load('reviews', pid, page),
						placeOwnMarkup(pid, page, 'reviewsCacheKey()'),
					]),
				);
			return `${own} reviews:${(await find()?.digestOf(checked)) ?? 'none'}`;
		},
		async reviewEntry(given) {
			const pid = productIdOf(given, 'liveReviewsLoader()');
			const data = structuredClone(await loadFormed('reviews', pid, undefined));
			return { data, changedAt: find()?.freshness?.('reviews', pid).changedAt };
		},
		forgetReviews: (pids) => forget(pids?.map((pid) => productIdOf(pid, 'forgetReviews()'))),
	};
	return settings.mayOmit ? omitMissing(runtime) : runtime;
}

function pagesOf(reviews: number, size: number | undefined): readonly ReviewPage[] {
	const perPage = readPageSize(size);
	return Array.from({ length: countPages(reviews, perPage) }, (_, at) => ({
		params: { page: String(at + 1) },
		props: { page: at + 1, perPage },
	}));
}

/** Adds what the page wrote into the slot `fallback` to the props of a component. */
function withFallback(props: Props, page: PageContext): MaybePromise<Props> {
	const fallback = fallbackOf(page);
	return fallback?.then((html) => ({ ...props, [FALLBACK]: html })) ?? props;
}

function fallbackOf({ slots }: PageContext): Promise<string> | undefined {
	return slots?.has(FALLBACK) ? slots.render(FALLBACK) : undefined;
}

/** Adds the component and the product to the message of an invalid prop. */
function naming<Value>(
	component: string,
	pid: string,
	write: () => MaybePromise<Value>,
): MaybePromise<Value> {
	const fail = (error: unknown): never => {
		// The error may come from another copy of this module.
		const { code, message } = error as InvalidPropError;
		if (code !== 'PR_INVALID_PROP') throw error;
		throw new InvalidPropError(`<${component}${pid === SHOP ? '' : ` pid="${pid}"`}>: ${message}`);
	};
	try {
		const written = write();
		return isPromise(written) ? written.catch(fail) : written;
	} catch (error) {
		return fail(error);
	}
}

const LOADERS: {
	readonly [From in keyof StoredData]: (
		source: ReviewSource,
		pid: string,
		page: string | undefined,
	) => Promise<StoredData[From] | undefined>;
} = {
	reviews: (source, pid, page) => source.getProductReviews(pid, page),
	'review-data': (source, pid, page) => source.getReviewData(pid, page),
	rating: async (source, pid, page) => ({ aggregate: await source.getStarRating(pid, page) }),
	shop() {
		throw new InvalidPropError(
			'it can only be on a page that is prerendered, because a server does not know all products. Add "export const prerender = true" to the page, or show the reviews of one product.',
		);
	},
};

/**
 * The same functions for a site whose option `onError` is `'omit'`: a page that cannot reach a source is built without
 * reviews. Components leave a mark in it so that the build can count such pages.
 */
function omitMissing(runtime: Runtime): Runtime {
	const entries = Object.entries(runtime).map(([name, call]) => [
		name,
		// All errors of functions that use a source are rejections.
		(...args: unknown[]) => {
			const result: unknown = (call as (...args: unknown[]) => unknown)(...args);
			if (!isPromise(result)) return result;
			return result.catch((error: unknown) => {
				if (error instanceof NoReviewSourceError) return missing(name as keyof Runtime, args);
				throw error;
			});
		},
	]);
	return Object.fromEntries(entries);
}

function missing(name: keyof Runtime, args: readonly unknown[]): unknown {
	if (name.endsWith('Html')) return NO_SOURCE_MARK;
	if (name === 'reviewSectionParts') return { html: NO_SOURCE_MARK };
	if (name === 'reviewEntry') return { data: undefined, changedAt: undefined };
	if (name === 'ratingFields') return {};
	if (name === 'reviewsMarkdown') return '';
	if (name === 'reviewPages') return pagesOf(0, (args[1] as PagedList | undefined)?.perPage);
	if (name === 'reviewsCacheKey') return `${args[1] ?? ''} reviews:none`;
	return undefined;
}
