import type { Recipe } from '../ahead/recipe.js';
import { type Block, writeBlock } from '../ahead/write-blocks.js';
import { type PageCache, shortenPage, tagPage } from '../live/page-cache.js';
import type { GivenLabels } from '../options/labels.js';
import type { AggregateRating, ProductReviews } from '../payload/record.js';
import type { ReviewData } from '../payload/review-data.js';
import type { DataFacet } from '../placements/data-facet.js';
import type { Facet } from '../placements/facet.js';
import type { Placement } from '../placements/placement.js';
import type { AuthorForm } from '../render/author-form.js';
import { formAuthors, formDataAuthors } from '../render/form-authors.js';
import type { RenderOptions } from '../render/render-options.js';
import type { ProductReviewsProps } from '../render/render-product-reviews.js';
import { renderReviewSchema } from '../render/render-review-schema.js';
import { renderStarRating, type StarRatingProps } from '../render/render-star-rating.js';
import type { ReviewSchemaProps } from '../render/review-schema-props.js';
import { toProductNode } from '../render/to-product-node.js';
import { writeReviews } from '../render/write-reviews.js';
import type { Resource } from '../store/review-store.js';
import { createReviewComponents, type ReviewComponents } from './review-components.js';
import { type ReviewSource, reviewSources } from './sources.js';

/** What the integration tells the pages: no secret, no path, no time. A change renders every page again. */
export interface RuntimeSettings {
	/** Version of the integration, so that a newer one renders every page again. */
	readonly version: string;
	/** Name of the session to ask. */
	readonly account: string;
	readonly display: RenderOptions['display'];
	readonly labels: GivenLabels;
	/** Whose reviews are the store's own. */
	readonly publishers?: readonly string[] | undefined;
	/** How much of an author's name pages show. @default 'full' */
	readonly author?: AuthorForm | undefined;
}

/** The functions of `virtual:product-reviews`, and those that the components call. */
export interface Runtime extends ReviewComponents {
	/** @param cache `Astro.cache` of a page that is rendered on demand. */
	getProductReviews(pid: string, cache?: PageCache): Promise<ProductReviews | undefined>;
	getStarRating(pid: string, cache?: PageCache): Promise<AggregateRating | undefined>;
	getReviewData(pid: string, cache?: PageCache): Promise<ReviewData | undefined>;
	/** A key for a page that shows these products, with what else the page is made of. */
	reviewsCacheKey(pids: readonly string[], own?: string): Promise<string>;
	/** @param locale of the page; `undefined` on a site without i18n. */
	productReviewsHtml(
		props: ProductReviewsProps,
		locale: string | undefined,
		cache?: PageCache,
	): Promise<string>;
	starRatingHtml(props: StarRatingProps, locale: string | undefined, cache?: PageCache): Promise<string>;
	reviewSchemaHtml(props: ReviewSchemaProps, cache?: PageCache): Promise<string>;
	/** The reviews of a product, and since when a server that renders on demand has them. */
	reviewEntry(pid: string): Promise<{
		readonly data: ProductReviews | undefined;
		/** Milliseconds since 1970. */
		readonly changedAt: number | undefined;
	}>;
	/** Has a server that renders on demand ask for products again; all of them where `pids` is left out. */
	forgetReviews(pids?: readonly string[]): void;
}

/** @param createLiveSource where pages that are rendered on demand get reviews from; only their server has it. */
export function createRuntime(
	{ account, display, labels, publishers, author }: RuntimeSettings,
	createLiveSource?: () => ReviewSource,
): Runtime {
	let live: ReviewSource | undefined;
	const liveSource = () => {
		live ??= createLiveSource?.();
		return live;
	};
	const source = () => reviewSources().get(account) ?? liveSource() ?? warnOnce();
	const place = (placement: Placement) => source()?.place(placement);
	/** Asks, and tells the route cache of a page that is rendered on demand. */
	const ask = async <Value>(
		resource: Resource,
		pid: string,
		cache: PageCache | undefined,
		load: (source: ReviewSource) => Promise<Value>,
	) => {
		const from = source();
		// Before anything is awaited: the answer's head may be on its way by then.
		if (from?.standing) tagPage(cache, pid);
		const value = from && (await load(from));
		if (from?.standing) shortenPage(cache, from.standing(resource, pid));
		return value;
	};
	const read = async (pid: unknown, asker: string, facet: Facet, cache?: PageCache) => {
		const checked = checkPid(pid, asker);
		return ask('reviews', checked, cache, (from) => from.getProductReviews(checked, facet));
	};
	/** A page may sort it in place: what the components write is not to change with it. */
	const copyOf = async (pid: unknown, asker: string, cache?: PageCache) => {
		const reviews = structuredClone(await read(pid, asker, { part: 'all' }, cache));
		return reviews && formAuthors(reviews, author);
	};
	const blockOf = async <Of extends Recipe>(
		pid: unknown,
		asker: string,
		recipe: Of,
		facet: Facet,
		cache: PageCache | undefined,
	): Promise<Block<Of> | undefined> => {
		const from = source();
		const ahead = from?.getBlock && (await from.getBlock(checkPid(pid, asker), recipe));
		if (ahead) return ahead as Block<Of>;
		const reviews = await read(pid, asker, facet, cache);
		return reviews && writeBlock(reviews, recipe, { display, labels, publishers, author });
	};
	const readRating = async (given: unknown, asker: string, cache: PageCache | undefined) => {
		const pid = checkPid(given, asker);
		const rating = await ask('reviews', pid, cache, async (from) =>
			from.getStarRating
				? from.getStarRating(pid)
				: (await from.getProductReviews(pid, { part: 'rating' }))?.aggregate,
		);
		if (rating) place({ component: 'StarRating', pid, count: rating.count });
		return rating;
	};
	const readData = async (pid: unknown, asker: string, facet?: DataFacet, cache?: PageCache) => {
		const checked = checkPid(pid, asker);
		const data = await ask('review-data', checked, cache, (from) => from.getReviewData(checked, facet));
		return data && formDataAuthors(data, author);
	};
	const optionsFor = (locale: string | undefined) => ({ display, labels, language: locale ?? 'en' });

	return {
		async getProductReviews(pid, cache) {
			place({ component: 'own-markup', pid: checkPid(pid, 'getProductReviews()') });
			return copyOf(pid, 'getProductReviews()', cache);
		},
		getStarRating: async (pid, cache) => structuredClone(await readRating(pid, 'getStarRating()', cache)),
		async getReviewData(pid, cache) {
			place({ component: 'own-markup', pid: checkPid(pid, 'getReviewData()') });
			return structuredClone(await readData(pid, 'getReviewData()', undefined, cache));
		},
		reviewsCacheKey: async (pids, own = '') => {
			const checked = pids.map((pid) => checkPid(pid, 'reviewsCacheKey()'));
			return `${own} reviews:${(await source()?.digestOf(checked)) ?? 'none'}`;
		},
		async productReviewsHtml({ pid, ...props }, locale, cache) {
			const facet = { part: 'reviews', sort: props.sort, limit: props.limit } as const;
			const recipe = { component: 'ProductReviews', props, locale } as const;
			const block = await blockOf(pid, '<ProductReviews>', recipe, facet, cache);
			// Props that cannot be used are an error whatever the service has.
			const { html, placement } = block ?? writeReviews(undefined, props, optionsFor(locale));
			if (placement) place(placement);
			return html;
		},
		...createReviewComponents({
			read: readData,
			place,
			optionsFor,
		}),
		async starRatingHtml({ pid, ...props }, locale, cache) {
			const rating = await readRating(pid, '<StarRating>', cache);
			return renderStarRating(rating, props, optionsFor(locale));
		},
		async reviewSchemaHtml({ pid, sort, limit, ...props }, cache) {
			const facet = { part: 'schema', sort, limit } as const;
			const recipe = { component: 'ReviewSchema', sort, limit } as const;
			const stated = await blockOf(pid, '<ReviewSchema>', recipe, facet, cache);
			const node = toProductNode(stated, props);
			if (stated && node?.['aggregateRating']) {
				place({
					component: 'ReviewSchema',
					pid: stated.pid,
					id: node['@id'],
					count: stated.rating?.count,
					listed: stated.listed || [node['review'] ?? []].flat().length,
					sort: sort ?? 'as-sent',
				});
			}
			return renderReviewSchema(node, stated?.reviews);
		},
		async reviewEntry(pid) {
			const data = await copyOf(pid, 'liveReviewsLoader()');
			return { data, changedAt: source()?.standing?.('reviews', pid).changedAt };
		},
		forgetReviews(pids) {
			const checked = pids?.map((pid) => checkPid(pid, 'forgetReviews()'));
			(reviewSources().get(account) ?? live)?.forget?.(checked);
		},
	};
}

function checkPid(pid: unknown, asker: string): string {
	if (typeof pid === 'number' && Number.isFinite(pid)) return String(pid);
	if (typeof pid === 'string' && pid !== '') return pid;
	const received = pid === '' ? 'an empty string' : pid === null ? 'null' : `a value of type ${typeof pid}`;
	throw new TypeError(
		`${asker} needs a product id, and received ${received}. Give the id by which the review service knows the product, such as pid={product.id}.`,
	);
}

let warned = false;

function warnOnce(): ReviewSource | undefined {
	if (!warned) {
		console.warn(
			'[astro-product-reviews] This page is rendered neither by `astro build` or `astro dev` nor by the server that was built, so it has no reviews.',
		);
	}
	warned = true;
	return undefined;
}
