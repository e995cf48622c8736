import type { Recipe } from '../ahead/recipe.js';
import { type Block, writeBlock } from '../ahead/write-blocks.js';
import type { GivenLabels } from '../labels/labels.js';
import type { AggregateRating, ProductReviews } from '../parse/record.js';
import type { ReviewData } from '../parse/review-data.js';
import type { AuthorForm } from '../render/author-form.js';
import type { DataFacet } from '../render/data-facet.js';
import type { Facet } from '../render/facet.js';
import { formAuthors, formDataAuthors } from '../render/form-authors.js';
import { missingOfferParts } from '../render/missing-offer-parts.js';
import { pageAddress } from '../render/page-address.js';
import type { Placement } from '../render/placement.js';
import type { RenderOptions } from '../render/render-options.js';
import type { ProductReviewsProps } from '../render/render-product-reviews.js';
import { renderReviewSchema } from '../render/render-review-schema.js';
import { renderStarRating, type StarRatingProps } from '../render/render-star-rating.js';
import type { ReviewSchemaProps } from '../render/review-schema-props.js';
import { toProductNode } from '../render/to-product-node.js';
import { writeReviews } from '../render/write-reviews.js';
import type { Resource } from '../store/review-store.js';
import { adviseOnNumber, describeNoProductId, type ProductId, readProductId } from '../text/product-id.js';
import { createRemoteSource } from './create-remote-source.js';
import { NoReviewSourceError } from './no-source.js';
import { omitMissing } from './omit-missing.js';
import { type PageCache, shortenPage, tagPage } from './page-cache.js';
import type { PageContext } from './page-context.js';
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
	/** Whether a page that reaches no source is built without reviews, in place of an error. @default false */
	readonly mayOmit?: boolean | undefined;
}

/** Where pages find reviews when they are not rendered in the process of a build or a dev server. */
export interface RuntimePlace {
	/** For pages that are rendered on demand; only their server has it. */
	readonly createLiveSource?: () => ReviewSource;
	/**
	 * Address of the build or dev server, with its key. One that is not an address, or that cannot be reached, is an error
	 * of the page that asks. `undefined` for pages that no build renders, such as in a test.
	 */
	readonly build?: string | undefined;
}

/** The functions of `virtual:product-reviews`, and those that the components call. */
export interface Runtime extends ReviewComponents {
	/** @param cache `Astro.cache` of a page that is rendered on demand. */
	getProductReviews(pid: ProductId, cache?: PageCache): Promise<ProductReviews | undefined>;
	getStarRating(pid: ProductId, cache?: PageCache): Promise<AggregateRating | undefined>;
	getReviewData(pid: ProductId, cache?: PageCache): Promise<ReviewData | undefined>;
	/** A key for a page that shows these products, with what else the page is made of. */
	reviewsCacheKey(pids: readonly ProductId[], own?: string): Promise<string>;
	/** @param page `Astro` */
	productReviewsHtml(props: ProductReviewsProps, page: PageContext): Promise<string>;
	starRatingHtml(props: StarRatingProps, page: PageContext): Promise<string>;
	reviewSchemaHtml(props: ReviewSchemaProps, page: PageContext): Promise<string>;
	/** The reviews of a product, and since when a server that renders on demand has them. */
	reviewEntry(pid: ProductId): Promise<{
		readonly data: ProductReviews | undefined;
		/** Milliseconds since 1970. */
		readonly changedAt: number | undefined;
	}>;
	/** Has a server that renders on demand ask for products again; all of them where `pids` is left out. */
	forgetReviews(pids?: readonly ProductId[]): void;
}

export function createRuntime(
	{ account, display, labels, publishers, author, mayOmit }: RuntimeSettings,
	{ createLiveSource, build }: RuntimePlace = {},
): Runtime {
	let live: ReviewSource | undefined;
	const liveSource = () => {
		live ??= createLiveSource?.();
		return live;
	};
	const source = ({ url }: PageContext) =>
		reviewSources().get(account) ?? liveSource() ?? remoteSource(build, url?.pathname) ?? warnOnce();
	const place = (placement: Placement, page: PageContext) => source(page)?.place(placement);
	/** Asks, and tells the route cache of a page that is rendered on demand. */
	const ask = async <Value>(
		resource: Resource | 'stars',
		pid: string,
		page: PageContext,
		load: (source: ReviewSource) => Promise<Value>,
	) => {
		const from = source(page);
		// Before anything is awaited: the answer's head may be on its way by then.
		if (from?.standing) tagPage(page.cache, pid);
		const value = from && (await load(from));
		if (from?.standing) shortenPage(page.cache, from.standing(resource, pid));
		return value;
	};
	const read = async (pid: unknown, asker: string, facet: Facet, page: PageContext) => {
		const checked = checkPid(pid, asker);
		return ask('reviews', checked, page, (from) => from.getProductReviews(checked, facet));
	};
	/** A page may sort it in place: what the components write is not to change with it. */
	const copyOf = async (pid: unknown, asker: string, page: PageContext) => {
		const reviews = structuredClone(await read(pid, asker, { part: 'all' }, page));
		return reviews && formAuthors(reviews, author);
	};
	const blockOf = async <Of extends Recipe>(
		pid: unknown,
		asker: string,
		recipe: Of,
		facet: Facet,
		page: PageContext,
	): Promise<Block<Of> | undefined> => {
		const from = source(page);
		const ahead = from?.getBlock && (await from.getBlock(checkPid(pid, asker), recipe));
		if (ahead) return ahead as Block<Of>;
		const reviews = await read(pid, asker, facet, page);
		return reviews && writeBlock(reviews, recipe, { display, labels, publishers, author });
	};
	const readRating = async (given: unknown, asker: string, page: PageContext) => {
		const pid = checkPid(given, asker);
		const rating = await ask('stars', pid, page, async (from) =>
			from.getStarRating
				? from.getStarRating(pid)
				: (await from.getProductReviews(pid, { part: 'rating' }))?.aggregate,
		);
		if (rating) await place({ component: 'StarRating', pid, count: rating.count }, page);
		return rating;
	};
	const readData = async (pid: unknown, asker: string, facet: DataFacet | undefined, page: PageContext) => {
		const checked = checkPid(pid, asker);
		const data = await ask('review-data', checked, page, (from) => from.getReviewData(checked, facet));
		return data && formDataAuthors(data, author);
	};
	const placeOwnMarkup = async (pid: unknown, asker: string, page: PageContext) =>
		place({ component: 'own-markup', pid: checkPid(pid, asker) }, page);
	const optionsFor = ({ currentLocale }: PageContext) => ({
		display,
		labels,
		language: currentLocale ?? 'en',
	});

	const runtime: Runtime = {
		async getProductReviews(pid, cache) {
			const asker = 'getProductReviews()';
			const [reviews] = await Promise.all([
				copyOf(pid, asker, { cache }),
				placeOwnMarkup(pid, asker, { cache }),
			]);
			return reviews;
		},
		getStarRating: async (pid, cache) => structuredClone(await readRating(pid, 'getStarRating()', { cache })),
		async getReviewData(pid, cache) {
			const asker = 'getReviewData()';
			const [data] = await Promise.all([
				readData(pid, asker, undefined, { cache }),
				placeOwnMarkup(pid, asker, { cache }),
			]);
			return structuredClone(data);
		},
		reviewsCacheKey: async (pids, own = '') => {
			const checked = pids.map((pid) => checkPid(pid, 'reviewsCacheKey()'));
			return `${own} reviews:${(await source({})?.digestOf(checked)) ?? 'none'}`;
		},
		async productReviewsHtml({ pid, ...props }, page) {
			const facet = { part: 'reviews', sort: props.sort, limit: props.limit } as const;
			const recipe = { component: 'ProductReviews', props, locale: page.currentLocale } as const;
			const block = await blockOf(pid, '<ProductReviews>', recipe, facet, page);
			// Props that cannot be used are an error whatever the service has.
			const { html, placement } = block ?? writeReviews(undefined, props, optionsFor(page));
			if (placement) await place(placement, page);
			return html;
		},
		...createReviewComponents({ read: readData, place, optionsFor }),
		async starRatingHtml({ pid, ...props }, page) {
			const rating = await readRating(pid, '<StarRating>', page);
			return renderStarRating(rating, props, optionsFor(page));
		},
		async reviewSchemaHtml({ pid, sort, limit, ...props }, page) {
			const facet = { part: 'schema', sort, limit } as const;
			const recipe = { component: 'ReviewSchema', sort, limit } as const;
			const stated = await blockOf(pid, '<ReviewSchema>', recipe, facet, page);
			const node = toProductNode(stated, props, pageAddress(page));
			const lacks = node ? missingOfferParts(node['offers']) : [];
			if (lacks.length > 0) {
				await place({ component: 'offers', pid: checkPid(pid, '<ReviewSchema>'), lacks }, page);
			}
			if (stated && node?.['aggregateRating']) {
				const placement: Placement = {
					component: 'ReviewSchema',
					pid: stated.pid,
					id: node['@id'],
					count: stated.rating?.count,
					listed: stated.listed || [node['review'] ?? []].flat().length,
					sort: sort ?? 'as-sent',
				};
				await place(placement, page);
			}
			return renderReviewSchema(node, stated?.reviews);
		},
		async reviewEntry(given) {
			const pid = checkPid(given, 'liveReviewsLoader()');
			const data = await copyOf(pid, 'liveReviewsLoader()', {});
			return { data, changedAt: source({})?.standing?.('reviews', pid).changedAt };
		},
		forgetReviews(pids) {
			const checked = pids?.map((pid) => checkPid(pid, 'forgetReviews()'));
			(reviewSources().get(account) ?? live)?.forget?.(checked);
		},
	};
	return mayOmit ? omitMissing(runtime) : runtime;
}

/** The build or dev server, for a page that is rendered outside of its process. @throws NoReviewSourceError for no address */
function remoteSource(build: string | undefined, page: string | undefined): ReviewSource | undefined {
	if (build === undefined) return undefined;
	if (!build.startsWith('http:')) throw new NoReviewSourceError();
	return createRemoteSource(build, page);
}

function checkPid(given: unknown, asker: string): string {
	const pid = readProductId(given);
	if (pid !== undefined) return pid;
	const advice = adviseOnNumber(given);
	throw new TypeError(
		`${asker} needs a product id, and received ${describeNoProductId(given)}. Give the id by which the review service knows the product${advice ? `: ${advice}` : ', such as pid={product.id}.'}`,
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
