import { afterBase, readablePath, trimSlashes } from '../base/paths.js';
import { sharedMap } from '../base/shared-map.js';
import { ProductReviewsError } from '../errors.js';
import type { AggregateRating } from '../records/rating.js';
import type { ProductReviews, ReviewData } from '../records/record.js';
import type {
	AddressSettings,
	Fragment,
	FragmentRequest,
	FragmentSettings,
	PlacedPage,
	ProductFacts,
	StoredData,
} from '../render/fragment.js';

/** Settings that the integration passes to pages: no secret, path or time. A change renders every page again. */
export interface RuntimeSettings extends FragmentSettings, AddressSettings {
	readonly version: string;
	readonly account: string;
	readonly base?: string | undefined;
	/** The pattern of files with the reviews of prerendered pages as Markdown. @default there are none */
	readonly markdown?: string | undefined;
	/** `true` to build a page without reviews, instead of an error, if it cannot reach a source. @default false */
	readonly mayOmit?: boolean | undefined;
}

/** Place where pages find reviews when they are not rendered in the process of a build or a dev server. */
export interface RuntimePlace {
	/** For pages that are rendered on demand. Only available on their server. */
	readonly createLiveSource?: () => ReviewSource;
	/**
	 * Address of the build or dev server, with its key. If it is invalid or cannot be reached, pages that use it fail.
	 * `undefined` for pages that no build renders, such as in a test.
	 */
	readonly build?: string | undefined;
}

export function createPageSource({ account, base = '/' }: RuntimeSettings, place: RuntimePlace) {
	let live: ReviewSource | undefined;
	const liveSource = () => (live ??= place.createLiveSource?.());
	/** The source; `undefined` if there is none. @throws NoReviewSourceError if the build cannot be reached */
	const find = () => reviewSources().get(account) ?? liveSource() ?? remoteSource(place.build) ?? warnOnce();
	return {
		find,
		/** Returns a page's name for its source: the path of its address, in readable form; `undefined` if unknown. */
		nameOf: (page: PageContext | undefined) => page && addressOfPage(page, base),
		/** Loads something of a product. For a page that is rendered on demand, also updates its route cache. */
		ask<Value>(
			of: keyof StoredData,
			pid: string,
			page: PageContext | undefined,
			load: (source: ReviewSource) => MaybePromise<Value>,
		): MaybePromise<Value | undefined> {
			const source = find();
			// Before anything is waited for, because the head of the response may be sent by then.
			if (source?.freshness) tagPage(page?.cache, pid);
			return when(source && load(source), (value) => {
				if (source?.freshness) shortenPage(page?.cache, source.freshness(of, pid));
				return value;
			});
		},
		// An instance that has not rendered anything yet can still tell the others.
		forget: async (pids: readonly string[] | undefined) =>
			(await (reviewSources().get(account) ?? liveSource())?.forget?.(pids)) ?? true,
	};
}

/**
 * The path of a page's address, in readable form. A page that was rewritten, such as one of a locale without a translation, has
 * the address of another in `Astro.url`.
 */
function addressOfPage({ url, originPathname }: PageContext, base: string): string | undefined {
	if (!url) return originPathname;
	const path = readablePath(url.pathname);
	const isRewritten =
		originPathname !== undefined && trimSlashes(originPathname) !== trimSlashes(afterBase(path, base));
	return isRewritten ? readablePath(base).replace(/\/$/, '') + originPathname : path;
}

let warned = false;

function warnOnce(): ReviewSource | undefined {
	if (warned) return undefined;
	warned = true;
	console.warn(
		'[astro-product-reviews] This page is rendered neither by `astro build` or `astro dev` nor by the built server, so it has no reviews. [PR_NO_REVIEW_SOURCE]',
	);
	return undefined;
}

/**
 * A source that calls the build or dev server over loopback, for a page rendered outside its process. Uses no Node API.
 * @param build address of the server, with the key as its fragment.
 * @throws NoReviewSourceError if there is none, and from every call if the server cannot be reached.
 */
function remoteSource(build: string | undefined): ReviewSource | undefined {
	if (build === undefined) return undefined;
	if (!build.startsWith('http:')) throw new NoReviewSourceError();
	const [url = '', key] = build.split('#');
	const call = async (body: RemoteCall): Promise<unknown> => {
		const response = await fetch(url, {
			method: 'POST',
			headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
			body: JSON.stringify(body),
		}).catch((error: unknown) => {
			throw new NoReviewSourceError({ cause: error });
		});
		// Another program may be listening there by now.
		if (response.status !== 200 && response.status !== 500) throw new NoReviewSourceError();
		const answer = (await response.json()) as { value: unknown } & RemoteError;
		if (response.status === 200) return answer.value;
		throw Object.assign(new Error(answer.message), { name: answer.name });
	};
	const methods = REMOTE_METHODS.map((method) => [method, (...args: unknown[]) => call({ method, args })]);
	return Object.fromEntries(methods);
}

/** What a page has to wait for only sometimes. */
export type MaybePromise<Value> = Value | Promise<Value>;

/**
 * Returns whether a value has to be waited for. Not `instanceof Promise`: libraries such as zone.js replace the global
 * `Promise`, and async functions still return the original one.
 */
export function isPromise<Value>(value: MaybePromise<Value>): value is Promise<Value> {
	return typeof value === 'object' && value !== null && 'then' in value;
}

/**
 * Uses a value at once, or when its promise resolves. If no component makes a page wait, Astro renders it in one go, without
 * a buffer for everything after the component.
 */
export function when<Value, Result>(
	value: MaybePromise<Value>,
	use: (value: Value) => MaybePromise<Result>,
): MaybePromise<Result> {
	return isPromise(value) ? value.then(use) : use(value);
}

export const RENDER_IN_NODE =
	'Have the adapter render prerendered pages in Node: for @astrojs/cloudflare, set its option `prerenderEnvironment` to "node".';

/** A page requested reviews, but could reach neither the build that renders it nor a dev server. */
export class NoReviewSourceError extends ProductReviewsError {
	override name = 'NoReviewSourceError';

	constructor(options?: ErrorOptions) {
		super(
			'PR_NO_REVIEW_SOURCE',
			// With the advice, because another runtime may only pass the message on.
			`This page is rendered outside of the build, where its reviews cannot be reached over 127.0.0.1. ${RENDER_IN_NODE} To build such pages without reviews, set the option "onError" of productReviews() to "omit".`,
			'Run "npx astro-product-reviews doctor" if the adapter is another one.',
			options,
		);
	}
}

/** Replaces reviews that a page could not reach if `onError` is `'omit'`, so that the build can count such pages. */
export const NO_SOURCE_MARK = '<!--product-reviews: not reached-->';

/** The address of whatever calls without `Astro`: any page may show it. */
export const UNKNOWN_PAGE = '?';

/** In place of a page's name, for what decides which pages there are: no page shows it. */
export const NO_PAGE = '!';

/** The part of `Astro` that is used: the page being rendered. */
export interface PageContext extends PlacedPage {
	/** `Astro.originPathname`: the path before a rewrite, without the site's base. */
	readonly originPathname?: string | undefined;
	/** Its locale; `undefined` on a site without i18n. */
	readonly currentLocale?: string | undefined;
	/** The route cache of a page that is rendered on demand. */
	readonly cache?: PageCache | undefined;
	/** The content between the tags of a component, by name. */
	readonly slots?:
		| { readonly has: (name: string) => boolean; readonly render: (name: string) => Promise<string> }
		| undefined;
}

/** The part of `Astro.cache` that is used: the route cache for the page being rendered. */
export interface PageCache {
	/** `true` if the site has a route cache. */
	readonly enabled: boolean;
	readonly options: { readonly maxAge?: number };
	set(options: { tags?: string[]; maxAge?: number; swr?: number }): void;
}

/** Tag of every page that shows reviews. */
export const ALL_REVIEWS_TAG = 'reviews';

/**
 * The tag of pages that show the reviews of a product, for `Astro.cache.invalidate({ tags })`. Characters other than
 * letters, digits and `-_.!~*'()` are percent-encoded, because tags are sent in a comma-separated header.
 * @example reviewTag('p-1') // 'reviews:p-1'
 */
export function reviewTag(pid: string): string {
	return `${ALL_REVIEWS_TAG}:${encodeURIComponent(pid.toWellFormed())}`;
}

/** Time to cache a page with old reviews, or with none because the service fails, in seconds. */
const SHORT = 10;

/** Tags the page with the product so that it can be purged when the reviews change. */
function tagPage(cache: PageCache | undefined, pid: string): void {
	if (cache?.enabled) cache.set({ tags: [ALL_REVIEWS_TAG, reviewTag(pid)] });
}

/** Shortens the cache time of a page whose reviews are stale or missing. */
function shortenPage(cache: PageCache | undefined, { state }: Freshness): void {
	const maxAge = cache?.enabled ? cache.options.maxAge : undefined;
	if (state !== 'fresh' && maxAge !== undefined) cache?.set({ maxAge: Math.min(maxAge, SHORT), swr: 0 });
}

/**
 * Source of the reviews on pages: the build or dev server that renders them, or the memory of a server that renders them
 * on demand. All data is `undefined` if the service failed and nothing is cached. `page` is the path of the page's address, in
 * readable form; `undefined` if it is unknown.
 */
export interface ReviewSource {
	/**
	 * Returns what a component writes, at once if possible. Omitted if pages write it themselves, from the data.
	 * @param request one that can be sent as JSON, see `findUnkeptProp`.
	 */
	getFragment?(pid: string, request: FragmentRequest, page?: string): MaybePromise<Fragment>;
	getProductReviews(pid: string, page?: string): Promise<ProductReviews | undefined>;
	getReviewData(pid: string, page?: string): Promise<ReviewData | undefined>;
	/** Also `undefined` for a product without ratings. */
	getStarRating(pid: string, page?: string): Promise<AggregateRating | undefined>;
	/** A digest that changes exactly when the reviews of one of these products do. */
	digestOf(pids: readonly string[]): Promise<string>;
	/** Called with facts about what the page being rendered wrote itself. */
	place(facts: ProductFacts, page?: string): MaybePromise<void>;
	/** Freshness of the last value. Omitted if pages are prerendered. */
	freshness?(of: keyof StoredData, pid: string): Freshness;
	/**
	 * Makes the source request products again, and tells other instances. Omitted if pages are prerendered.
	 * @param pids `undefined` for all.
	 * @returns `true` if all instances can learn of it.
	 */
	forget?(pids: readonly string[] | undefined): Promise<boolean>;
}

export interface Freshness {
	/** `'stale'`: the value may have changed since. `'missing'`: the service did not send one in time. */
	readonly state: 'fresh' | 'stale' | 'missing';
	/** Time when this server first had this value, in milliseconds since 1970. */
	readonly changedAt: number | undefined;
}

export const reviewSources = sharedMap<ReviewSource>('sources');

/** Methods that pages rendered in another process may call. */
export const REMOTE_METHODS = [
	'getFragment',
	'getProductReviews',
	'getStarRating',
	'getReviewData',
	'digestOf',
	'place',
] as const satisfies readonly (keyof ReviewSource)[];

export interface RemoteCall {
	readonly method: (typeof REMOTE_METHODS)[number];
	readonly args: readonly unknown[];
}

export interface RemoteError {
	readonly name: string;
	readonly message: string;
}
