import type { ProductReviewData } from 'product-reviews-client';
import type { Labels } from '../options/labels.js';
import type { AggregateRating, ProductReviews } from '../payload/record.js';
import type { RenderOptions } from '../render/render-options.js';
import { type ProductReviewsProps, renderProductReviews } from '../render/render-product-reviews.js';
import { type ReviewSchemaProps, renderReviewSchema } from '../render/render-review-schema.js';
import { renderStarRating, type StarRatingProps } from '../render/render-star-rating.js';
import { type ReviewSource, reviewSources } from './sources.js';

/** What the integration tells the pages: no secret, no path, no time. A change renders every page again. */
export interface RuntimeSettings {
	/** Version of the integration, so that a newer one renders every page again. */
	readonly version: string;
	/** Name of the session to ask. */
	readonly account: string;
	readonly display: RenderOptions['display'];
	readonly labels: Labels;
}

/** The functions of `virtual:product-reviews`, and those that the components call. */
export interface Runtime {
	getProductReviews(pid: string): Promise<ProductReviews | undefined>;
	getStarRating(pid: string): Promise<AggregateRating | undefined>;
	getReviewData(pid: string): Promise<ProductReviewData | undefined>;
	/** @param locale of the page; `undefined` on a site without i18n. */
	productReviewsHtml(props: ProductReviewsProps, locale: string | undefined): Promise<string>;
	starRatingHtml(props: StarRatingProps, locale: string | undefined): Promise<string>;
	reviewSchemaHtml(props: ReviewSchemaProps): Promise<string>;
}

export function createRuntime({ account, display, labels }: RuntimeSettings): Runtime {
	const source = () => reviewSources().get(account) ?? warnOnce();
	const getProductReviews = async (pid: unknown, asker: string) =>
		source()?.getProductReviews(checkPid(pid, asker));
	const optionsFor = (locale: string | undefined) => ({ display, labels, language: locale ?? 'en' });

	return {
		getProductReviews: (pid) => getProductReviews(pid, 'getProductReviews()'),
		getStarRating: async (pid) => (await getProductReviews(pid, 'getStarRating()'))?.aggregate,
		getReviewData: async (pid) => source()?.getReviewData(checkPid(pid, 'getReviewData()')),
		async productReviewsHtml({ pid, ...props }, locale) {
			const reviews = await getProductReviews(pid, '<ProductReviews>');
			return renderProductReviews(reviews, props, optionsFor(locale));
		},
		async starRatingHtml({ pid, ...props }, locale) {
			const reviews = await getProductReviews(pid, '<StarRating>');
			return renderStarRating(reviews?.aggregate, props, optionsFor(locale));
		},
		async reviewSchemaHtml({ pid, ...props }) {
			return renderReviewSchema(await getProductReviews(pid, '<ReviewSchema>'), props);
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
