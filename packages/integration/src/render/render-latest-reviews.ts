import { compareTexts } from '../base/words.js';
import { InvalidPropError } from '../errors.js';
import { fullStars } from '../records/rating.js';
import type { Review } from '../records/record.js';
import type { Component, ShopReviews } from './fragment.js';
import { type Html, html } from './html.js';
import { type PartProps, type Props, readChoice, readCount, readPart, renderRoot } from './props.js';
import { renderReview } from './render-review.js';
import {
	ORDERS_WITHOUT_VOTES,
	type ReviewFilter,
	type ReviewOrder,
	selectReviews,
} from './select-reviews.js';

/** Props of `<LatestReviews>`. Others than its own, such as `class` or `id`, go to its root element. */
export type LatestReviewsProps = LatestProps & Record<string, unknown>;

interface LatestProps extends PartProps {
	/** Maximum number of reviews. @default 6 */
	limit?: number | undefined;
	/** The conditions that a review must meet: those that are known of the reviews of all products. @default all reviews with a text */
	filter?: LatestFilter | undefined;
	/** The order in which the latest reviews are shown. @default 'newest' */
	sort?: Exclude<ReviewOrder, 'as-sent'> | undefined;
	/** Product IDs. @default all products of the option `products` */
	products?: readonly (string | number)[] | undefined;
	/**
	 * Address of a product's page, with `{pid}` for its ID.
	 * @default the address that comes with the reviews
	 * @example '/products/{pid}/'
	 */
	productUrl?: string | undefined;
}

const CONDITIONS = ['stars', 'minRating', 'hasText', 'language'] as const;

type LatestFilter = Pick<ReviewFilter, (typeof CONDITIONS)[number]>;

const OWN = ['limit', 'filter', 'sort', 'products', 'productUrl'];

/** `<LatestReviews>`: the latest reviews of the whole store, with the product of each. */
export const latestReviews: Component<'shop'> = {
	from: 'shop',
	write(shop, props: LatestProps & Props, options) {
		const context = readPart(props, options, 'pr-latest-reviews', OWN, 'latest');
		const { filter = { hasText: true }, productUrl } = props;
		if (typeof filter === 'function')
			throw new InvalidPropError('expected `filter` to be an object, received a function.');
		for (const name of Object.keys(filter)) readChoice('each key of `filter`', name, CONDITIONS);
		const sort = readChoice('`sort`', props.sort ?? 'newest', ORDERS_WITHOUT_VOTES);
		const found = findLatest(shop, filter, readCount('`limit`', props.limit ?? 6));
		if (found.length === 0) return { html: '', facts: [] };
		const shown = selectReviews(found, { sort: sort === 'newest' ? 'as-sent' : sort, limit: found.length });
		const items = shown.map((found, index) => {
			const url = productUrl?.replaceAll('{pid}', () => encodeURIComponent(found.pid.toWellFormed()));
			const product = renderProduct(found, url);
			const review = renderReview(found, context, () => `${context.id()}r${index}-`, product);
			return html`<li class="pr-item" data-stars="${fullStars(found.rating)}">${review}</li>`;
		});
		const list = html`<ol class="pr-items" role="list">${items}</ol>`;
		return { html: renderRoot(context, list).toString(), facts: [] };
	},
};

interface FoundReview extends Review {
	readonly pid: string;
}

/** Finds the latest reviews. Products whose newest review is older than what has been found are not read. */
function findLatest(
	shop: ShopReviews | undefined,
	filter: ReviewFilter,
	most: number,
): readonly FoundReview[] {
	let found: FoundReview[] = [];
	if (most === 0) return found;
	for (const { pid, newest, read } of shop?.products ?? []) {
		if (found.length === most && newest < (found.at(-1)?.date ?? '')) break;
		const record = read();
		const dated = (record?.reviews ?? []).filter(({ date }) => date !== undefined);
		// Without its pin: the first of its product is not the first of the store.
		const reviews = dated.map((review) => ({ ...review, pinned: false }));
		const own = selectReviews(reviews, { filter, sort: 'newest', limit: most }).map((review) => {
			const { name = review.productName, url = review.productUrl } = record?.schema ?? {};
			return { ...review, productName: name, productUrl: url, pid };
		});
		found = [...found, ...own]
			.toSorted(
				(one, other) => compareTexts(other.date ?? '', one.date ?? '') || compareTexts(one.pid, other.pid),
			)
			.slice(0, most);
	}
	return found;
}

function renderProduct({ productName: name, productUrl }: FoundReview, url = productUrl): Html | undefined {
	if (name === undefined) return undefined;
	const text = html`<bdi>${name}</bdi>`;
	return html`<p class="pr-product">${url === undefined ? text : html`<a class="pr-product-link" href="${url}">${text}</a>`}</p>`;
}
