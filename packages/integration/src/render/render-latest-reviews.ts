import { describeValue, type ProductId, productIdOf } from '../base/product-id.js';
import { compareTexts, isVisible } from '../base/words.js';
import { InvalidPropError } from '../errors.js';
import { fullStars } from '../records/rating.js';
import type { Review } from '../records/record.js';
import type { Component, ShopReviews } from './fragment.js';
import { type Html, html } from './html.js';
import { type PartProps, type Props, readChoice, readCount, readPart, renderRoot } from './props.js';
import { isNode } from './read-product.js';
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
	/**
	 * Product IDs, or objects with the name and the URL that a product has on your site. A name that you leave out comes with the
	 * reviews, a URL from `productUrl`. Entries with the same ID are one product.
	 * @default all products of the option `products`
	 * @example [{ pid: 'p-1', name: 'Copper kettle', url: '/products/copper-kettle/' }, 'p-2']
	 */
	products?:
		| readonly (ProductId | { pid: ProductId; name?: string | undefined; url?: string | undefined })[]
		| undefined;
	/**
	 * URL of the product pages, with `{pid}` for the product ID. A `url` in `products` comes first.
	 * @default the URL that comes with the reviews
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
	read(props: LatestProps & Props) {
		const { filter, products, productUrl } = props;
		if (typeof filter === 'function')
			throw unexpected('`filter`', 'an object such as { minRating: 4 }', filter);
		if (isGiven(productUrl) && !(isLink(productUrl) && productUrl.includes('{pid}')))
			throw unexpected(
				'`productUrl`',
				`a text with {pid} that ${BEGINS}, such as '/products/{pid}/'`,
				productUrl,
			);
		const named = productsByPid(products);
		if (!named || products?.every((product) => ['string', 'number'].includes(typeof product)))
			return { props };
		const kept = [...named].map(([pid, own]) => (Object.keys(own).length === 0 ? pid : { pid, ...own }));
		return { props: { ...props, products: kept } };
	},
	write(shop, props: LatestProps & Props, options) {
		const context = readPart(props, options, 'pr-latest-reviews', OWN, 'latest');
		const { filter = { hasText: true }, productUrl } = props;
		const named = productsByPid(props.products);
		for (const name of Object.keys(filter)) readChoice('each key of `filter`', name, CONDITIONS);
		const sort = readChoice('`sort`', props.sort ?? 'newest', ORDERS_WITHOUT_VOTES);
		const found = findLatest(shop, filter, readCount('`limit`', props.limit ?? 6));
		if (found.length === 0) return { html: '', facts: [] };
		const shown = selectReviews(found, { sort: sort === 'newest' ? 'as-sent' : sort, limit: found.length });
		const items = shown.map((found, index) => {
			const url = productUrl?.replaceAll('{pid}', () => encodeURIComponent(found.pid.toWellFormed()));
			const product = renderProduct(found, { url, ...named?.get(found.pid) });
			const review = renderReview(found, context, () => `${context.id()}r${index}-`, product);
			return html`<li class="pr-item" data-stars="${fullStars(found.rating)}">${review}</li>`;
		});
		const list = html`<ol class="pr-items" role="list">${items}</ol>`;
		return { html: renderRoot(context, list).toString(), facts: [] };
	},
};

/** Holds the name and the URL that a product has on the site. */
interface OwnNames {
	readonly name?: string | undefined;
	readonly url?: string | undefined;
}

/**
 * Reads the prop `products`.
 * @returns what the page says of each product, by its ID; `undefined` without the prop.
 * @throws TypeError for anything but a list of product IDs and of objects with one.
 */
export function productsByPid(given: unknown): ReadonlyMap<string, OwnNames> | undefined {
	if (!isGiven(given)) return undefined;
	if (!Array.isArray(given)) throw unexpected('`products`', LIST, given);
	const found = new Map<string, OwnNames>();
	for (const [index, product] of given.entries()) {
		const { pid, ...own } = readNamed(product, `products[${index}]`);
		found.set(pid, { ...own, ...found.get(pid) });
	}
	return found;
}

const LIST =
	"a list of product IDs, or of objects such as { pid: 'p-1', name: 'Copper kettle', url: '/products/copper-kettle/' }";

const KEYS = ['pid', 'name', 'url'] as const;

const MEANINGS = { id: 'pid', title: 'name', href: 'url', link: 'url' } as const;

function readNamed(given: unknown, path: string): OwnNames & { readonly pid: string } {
	const isObject = isNode(given);
	if (isObject)
		for (const key of Object.keys(given)) readChoice(`each key of \`${path}\``, key, KEYS, MEANINGS);
	const { pid, name, url } = isObject ? given : { pid: given };
	const asker = `\`${path}${isObject ? '.pid' : ''}\` of <LatestReviews>`;
	const read = { pid: productIdOf(pid, asker, '{ pid: product.id }') };
	if (name !== undefined && !(typeof name === 'string' && isVisible(name)))
		throw unexpected(`\`${path}.name\``, "a text such as 'Copper kettle', or to be left out", name);
	if (url !== undefined && !isLink(url))
		throw unexpected(
			`\`${path}.url\``,
			`a URL that ${BEGINS}, such as '/products/copper-kettle/', or to be left out`,
			url,
		);
	return { ...read, ...(name !== undefined && { name }), ...(url !== undefined && { url }) };
}

const BEGINS = 'begins with `/`, `#` or `https://`';

/** Returns whether a value is a URL that is safe in a link, and leads to the same page wherever the link is. */
function isLink(value: unknown): value is string {
	return (
		typeof value === 'string' &&
		/^(?:https?:\/\/|\/(?![/\\])|#)/.test(value) &&
		URL.canParse(value, 'https://shop.example')
	);
}

function isGiven(value: unknown): boolean {
	return value !== undefined && value !== null;
}

function unexpected(what: string, expected: string, received: unknown): InvalidPropError {
	const advice = received instanceof Promise ? ': write `await` before it' : '';
	return new InvalidPropError(
		`expected ${what} to be ${expected}, received ${describeValue(received)}${advice}.`,
	);
}

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

function renderProduct(
	{ productName, productUrl }: FoundReview,
	{ name = productName, url = productUrl }: OwnNames,
): Html | undefined {
	if (name === undefined) return undefined;
	const text = html`<bdi>${name}</bdi>`;
	return html`<p class="pr-product">${url === undefined ? text : html`<a class="pr-product-link" href="${url}">${text}</a>`}</p>`;
}
