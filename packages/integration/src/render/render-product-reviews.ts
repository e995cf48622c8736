import { InvalidPropError } from '../errors.js';
import { isEnglish, labelsFor } from '../labels/labels-for.js';
import type { ProductReviews } from '../parse/record.js';
import type { ProductId } from '../text/product-id.js';
import type { Component } from './component.js';
import { renderCrawlerBlock } from './crawler-block.js';
import { formAuthors } from './form-authors.js';
import { readHeadingLevel } from './heading.js';
import type { RenderOptions } from './render-options.js';
import { renderReviewDetails, renderReviewList } from './review-list.js';
import { countSelected, type ReviewOrder, selectReviews } from './select-reviews.js';

/** Props of `<ProductReviews>`. Others, such as `class` or `id`, go to its root element. */
export type ProductReviewsProps = ReviewListProps & {
	/** Product id, as the review service knows it. A number is read as its decimal string. */
	pid: ProductId;
} & Record<string, unknown>;

/** How reviews are shown. */
export interface ReviewListProps {
	/**
	 * `'visible'`: a list. `'details'`: a list that opens with a click on its summary. `'hidden'`: only in the page's
	 * source, for sites that run the service's widget.
	 * @default the option `display` of the integration, or else 'visible'
	 */
	display?: 'visible' | 'details' | 'hidden' | undefined;
	/** Heading above the reviews. @default the label `heading`, or else, on an English page, the service's heading */
	heading?: string | undefined;
	/** Level of that heading, 1 to 6. Review titles are one level below. @default 2 */
	headingLevel?: number | undefined;
	/** Maximum number of reviews. @default all that the service sends */
	limit?: number | undefined;
	/** @default 'as-sent' */
	sort?: ReviewOrder | undefined;
	/** BCP 47 tag of the page's language, for dates and numbers. @default the locale of the page, or else 'en' */
	lang?: string | undefined;
}

/** The html of `<ProductReviews>` on one line; empty for a product without reviews. */
export function renderProductReviews(
	product: ProductReviews | undefined,
	props: ReviewListProps & Readonly<Record<string, unknown>>,
	options: RenderOptions,
): string {
	const { display, heading, headingLevel, limit, sort, lang, ...attributes } = props;
	const render = rendererOf(display ?? options.display);
	const level = readHeadingLevel(headingLevel ?? 2);
	const reviews = selectReviews(product?.reviews ?? [], sort, limit);
	if (!product || reviews.length === 0) return '';
	const language = lang ?? options.language;
	const labels = labelsFor(options.labels, language);
	// The service sends the same heading for every language.
	const sent = isEnglish(language) ? product.heading : undefined;
	return render(product, reviews, {
		labels,
		language,
		heading: heading ?? options.labels.heading ?? sent ?? labels.heading,
		headingLevel: level,
		attributes,
	}).toString();
}

/** `<ProductReviews>` */
export const productReviews: Component<'reviews'> = {
	from: 'reviews',
	write(given, { props, language = 'en' }, { author, ...site }) {
		const product = given && formAuthors(given, author);
		const options = { ...site, language };
		const html = renderProductReviews(product, props, options);
		if (!product || html === '') return { html, facts: [] };
		const { display = site.display, limit, sort = 'as-sent' }: ReviewListProps = props;
		const shown = countSelected(product.reviews, limit);
		return {
			html,
			facts: [
				{
					component: 'ProductReviews',
					display,
					count: product.aggregate?.count,
					shown,
					isAll: shown === product.reviews.length,
					sort,
				},
			],
		};
	},
};

function rendererOf(display: string) {
	if (Object.hasOwn(RENDERERS, display)) return RENDERERS[display as keyof typeof RENDERERS];
	throw new InvalidPropError(
		`Expected \`display\` to be 'hidden', 'visible' or 'details', received '${display}'.`,
	);
}

const RENDERERS = {
	hidden: renderCrawlerBlock,
	visible: renderReviewList,
	details: renderReviewDetails,
};
