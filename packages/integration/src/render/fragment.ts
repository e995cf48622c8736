import type { AuthorForm } from '../base/people.js';
import type { GivenLabels } from '../options/labels.js';
import type { AggregateRating } from '../records/rating.js';
import type { ProductReviews, ReviewData } from '../records/record.js';
import type { Props, RenderOptions } from './props.js';
import type { ProductPlace, ProductProblem } from './read-product.js';

export interface Fragment {
	/** Html on one line; empty if there is nothing to show. Markdown, for the files with that. */
	readonly html: string;
	/** Html of each part of a `<ReviewSection>` that the page places around its slots. `html` is then empty. */
	readonly parts?: Readonly<Record<string, string>> | undefined;
	readonly facts: readonly Facts[];
}

/**
 * One use of a component. Together with the product's data and the settings, it determines every byte of the fragment.
 */
export interface FragmentRequest {
	readonly component: string;
	/** Props, without the product ID. */
	readonly props: Readonly<Record<string, unknown>>;
	/** BCP 47 tag of the page's language. @default 'en' */
	readonly language?: string | undefined;
	/** Canonical address of the page, for structured data; `undefined` if unknown. */
	readonly address?: string | undefined;
	/** Values among the props that are none, and were left out. @default there are none */
	readonly problems?: readonly ProductProblem[] | undefined;
}

export interface FragmentSettings {
	readonly display: RenderOptions['display'];
	readonly labels: GivenLabels;
	/** Publishers whose reviews count as the store's own in structured data. @default all publishers */
	readonly ownPublishers?: readonly string[] | undefined;
	/** Part of an author's name that pages show. @default 'full' */
	readonly authorNames?: AuthorForm | undefined;
	/** Address at which customers write a review, with `{pid}` for the product. @default none */
	readonly writeReviewUrl?: string | undefined;
}

export interface StoredData {
	readonly reviews: ProductReviews;
	readonly 'review-data': ReviewData;
	readonly rating: { readonly aggregate: AggregateRating | undefined };
	readonly shop: ShopReviews;
}

/** The data of components that are about one product. */
export type ProductSource = Exclude<keyof StoredData, 'shop'>;

/** The reviews of all products of a shop, those with the newest review first. */
export interface ShopReviews {
	readonly products: readonly ShopProduct[];
}

export interface ShopProduct {
	readonly pid: string;
	/** Day of its newest review, `YYYY-MM-DD`. */
	readonly newest: string;
	/** Reads its reviews; `undefined` if they cannot be read. */
	readonly read: () => ProductReviews | undefined;
}

/** In place of a product ID, where a component shows reviews of the whole shop: no product has it. */
export const SHOP = '';

/** A component that writes a fragment. */
export interface Component<From extends keyof StoredData = keyof StoredData> {
	/** The data that the fragment is written from. */
	readonly from: From;
	/** `true` if the address of the page is part of the component's requests. @default false */
	readonly isAddressed?: boolean;
	/** Reads props into what can be sent as JSON. @default they are taken as they are */
	readonly read?: (props: Props, place: ProductPlace) => Pick<FragmentRequest, 'props' | 'problems'>;
	/**
	 * @param stored `undefined` if nothing is known about the product.
	 * @throws TypeError for an invalid prop.
	 */
	readonly write: (
		stored: StoredData[From] | undefined,
		props: Props,
		options: RenderOptions &
			Pick<FragmentSettings, 'ownPublishers'> &
			Pick<FragmentRequest, 'address' | 'problems'>,
	) => Fragment;
}

/**
 * Finds what keeps a request from being sent as JSON to another thread, another process, or the cache, such as a function or a
 * `Date`.
 * @returns the path of the first such prop; `undefined` if there is none.
 */
export function findUnkeptProp({ props }: Pick<FragmentRequest, 'props'>): string | undefined {
	return findUnkept(props, '');
}

function findUnkept(value: unknown, path: string): string | undefined {
	if (value === undefined || value === null || typeof value === 'boolean' || typeof value === 'string')
		return undefined;
	if (typeof value === 'number') return Number.isFinite(value) ? undefined : path;
	if (typeof value !== 'object') return path;
	const isList = Array.isArray(value);
	const prototype = Object.getPrototypeOf(value);
	if (!isList && prototype !== Object.prototype && prototype !== null) return path;
	for (const [name, part] of Object.entries(value)) {
		const partPath = isList ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`;
		const found = part === undefined && isList ? partPath : findUnkept(part, partPath);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** Returns props as JSON keeps them, without `undefined` and with `'Infinity'`, so that a page is written the same from kept props. */
export function toJsonProps<Props extends object>(props: Props): Props {
	const entries = Object.entries(props).flatMap(([name, value]) => {
		if (value === undefined) return [];
		if (value === Number.POSITIVE_INFINITY) return [[name, String(value)] as const];
		return [[name, isObject(value) ? toJsonProps(value) : value] as const];
	});
	return Object.fromEntries(entries) as Props;
}

function isObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

export interface PlacedPage {
	/**
	 * `Astro.url`. In a build, this is the address at which the page will be served, with the site's base and format.
	 */
	readonly url?: URL | undefined;
	/** `Astro.site`; `undefined` if the configuration has no `site`. */
	readonly site?: URL | undefined;
	/** `Astro.isPrerendered` */
	readonly isPrerendered?: boolean | undefined;
}

/** Settings of a site that decide about the addresses of its pages. */
export interface AddressSettings {
	/** `true` if Astro's `build.format` makes files such as `kettle.html`. @default false */
	readonly hasPageFiles?: boolean | undefined;
	/** Astro's `i18n.domains`: locales on hosts of their own. @default there are none */
	readonly domains?: readonly string[] | undefined;
}

/**
 * Returns the canonical address of the page, as Astro's sitemap has it: its path on the site, or on the domain of its locale,
 * without the ending of its file. `undefined` without a `site`, because builds and dev servers then only know this machine, and
 * in a server island, whose address is not the page's.
 * @example pageAddress(Astro) // 'https://shop.example/products/kettle/'
 */
export function pageAddress(
	{ url, site, isPrerendered = true }: PlacedPage,
	{ hasPageFiles = false, domains = [] }: AddressSettings = {},
): string | undefined {
	if (!site || !url || url.pathname.includes(ISLANDS)) return undefined;
	// Whoever asks a server names a host, so only those of the configuration count.
	const own = domains.map((domain) => new URL(domain)).find(({ host }) => host === url.host) ?? site;
	const path =
		isPrerendered && hasPageFiles ? url.pathname.replace(/(?<=\/)index\.html$|\.html$/, '') : url.pathname;
	// Not resolved as a reference, because a path that begins with two slashes would lead to another host.
	return `${own.protocol}//${own.host}${path}`;
}

/** The part of an address that is a server island's. */
export const ISLANDS = '/_server-islands/';

/**
 * Plain facts about what a component wrote, or what a page's own markup requested. They are all that the audit reads.
 */
export type Facts =
	| SchemaFacts
	| ListFacts
	| StarsFacts
	/** One page of a list with pages of its own: its number, how many there are, and the address of the last. */
	| { readonly component: 'page'; readonly page: number; readonly pages: number; readonly last: string }
	/** Values that search engines refuse in the `product` of a `<ReviewSchema>`. */
	| { readonly component: 'product'; readonly problems: readonly ProductProblem[] }
	/** Incomplete offers of a `<ReviewSchema>`. Complete ones have no facts. */
	| { readonly component: 'offers'; readonly lacks: readonly OfferPart[] }
	/** A use of a product's data that only the page itself can write again, such as `'getProductReviews()'`. */
	| { readonly component: 'use'; readonly by: string }
	/** A page called a function of `virtual:product-reviews`. What it did with the result is unknown. */
	| { readonly component: 'own-markup' };

export interface SchemaFacts {
	readonly component: 'ReviewSchema';
	/** `@id` of the node. */
	readonly id: string | undefined;
	readonly count: number | undefined;
	readonly listed: number;
	readonly sort: string;
}

export interface ListFacts {
	readonly component: 'ProductReviews' | 'ReviewList';
	readonly display: 'hidden' | 'visible' | 'details';
	readonly count: number | undefined;
	/** Number of reviews shown, from the start of the order `sort`. */
	readonly shown: number;
	/** `true` if the list shows all reviews. */
	readonly isAll: boolean;
	/** `true` if the list's filter omits reviews by their rating. @default false */
	readonly isSplitByRating?: boolean;
	readonly sort: string;
}

export interface StarsFacts {
	readonly component: 'StarRating' | 'RatingSummary';
	readonly count: number;
}

/** A part of an offer that search engines need. */
export type OfferPart = 'price' | 'priceCurrency';

export type ProductFacts = Facts & { readonly pid: string };
