import type { Recipe } from '../ahead/recipe.js';
import { type Block, writeBlock } from '../ahead/write-blocks.js';
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
	getProductReviews(pid: string): Promise<ProductReviews | undefined>;
	getStarRating(pid: string): Promise<AggregateRating | undefined>;
	getReviewData(pid: string): Promise<ReviewData | undefined>;
	/** A key for a page that shows these products, with what else the page is made of. */
	reviewsCacheKey(pids: readonly string[], own?: string): Promise<string>;
	/** @param locale of the page; `undefined` on a site without i18n. */
	productReviewsHtml(props: ProductReviewsProps, locale: string | undefined): Promise<string>;
	starRatingHtml(props: StarRatingProps, locale: string | undefined): Promise<string>;
	reviewSchemaHtml(props: ReviewSchemaProps): Promise<string>;
}

export function createRuntime({ account, display, labels, publishers, author }: RuntimeSettings): Runtime {
	const source = () => reviewSources().get(account) ?? warnOnce();
	const place = (placement: Placement) => source()?.place(placement);
	const read = async (pid: unknown, asker: string, facet: Facet) =>
		source()?.getProductReviews(checkPid(pid, asker), facet);
	const blockOf = async <Of extends Recipe>(
		pid: unknown,
		asker: string,
		recipe: Of,
		facet: Facet,
	): Promise<Block<Of> | undefined> => {
		const ahead = await source()?.getBlock?.(checkPid(pid, asker), recipe);
		if (ahead) return ahead as Block<Of>;
		const reviews = await read(pid, asker, facet);
		return reviews && writeBlock(reviews, recipe, { display, labels, publishers, author });
	};
	const readRating = async (given: unknown, asker: string) => {
		const pid = checkPid(given, asker);
		const asked = source();
		const rating = asked?.getStarRating
			? await asked.getStarRating(pid)
			: (await asked?.getProductReviews(pid, { part: 'rating' }))?.aggregate;
		if (rating) place({ component: 'StarRating', pid, count: rating.count });
		return rating;
	};
	const readData = async (pid: unknown, asker: string, facet?: DataFacet) => {
		const data = await source()?.getReviewData(checkPid(pid, asker), facet);
		return data && formDataAuthors(data, author);
	};
	const optionsFor = (locale: string | undefined) => ({ display, labels, language: locale ?? 'en' });

	return {
		async getProductReviews(pid) {
			place({ component: 'own-markup', pid: checkPid(pid, 'getProductReviews()') });
			// A page may sort it in place: what the components write is not to change with it.
			const reviews = structuredClone(await read(pid, 'getProductReviews()', { part: 'all' }));
			return reviews && formAuthors(reviews, author);
		},
		getStarRating: async (pid) => structuredClone(await readRating(pid, 'getStarRating()')),
		async getReviewData(pid) {
			place({ component: 'own-markup', pid: checkPid(pid, 'getReviewData()') });
			return structuredClone(await readData(pid, 'getReviewData()'));
		},
		reviewsCacheKey: async (pids, own = '') => {
			const checked = pids.map((pid) => checkPid(pid, 'reviewsCacheKey()'));
			return `${own} reviews:${(await source()?.digestOf(checked)) ?? 'none'}`;
		},
		async productReviewsHtml({ pid, ...props }, locale) {
			const facet = { part: 'reviews', sort: props.sort, limit: props.limit } as const;
			const recipe = { component: 'ProductReviews', props, locale } as const;
			const block = await blockOf(pid, '<ProductReviews>', recipe, facet);
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
		async starRatingHtml({ pid, ...props }, locale) {
			const rating = await readRating(pid, '<StarRating>');
			return renderStarRating(rating, props, optionsFor(locale));
		},
		async reviewSchemaHtml({ pid, sort, limit, ...props }) {
			const facet = { part: 'schema', sort, limit } as const;
			const stated = await blockOf(pid, '<ReviewSchema>', { component: 'ReviewSchema', sort, limit }, facet);
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
			'[astro-product-reviews] This page is not rendered by `astro build` or `astro dev`, so it has no reviews. Prerender it: export const prerender = true.',
		);
	}
	warned = true;
	return undefined;
}
