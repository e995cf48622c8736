import type { StoredData } from '../render/component.js';
import type { FragmentSettings } from '../render/fragment.js';
import { NoReviewSourceError } from './no-source.js';
import { shortenPage, tagPage } from './page-cache.js';
import type { PageContext } from './page-context.js';
import type { RemoteCall, RemoteError } from './remote-call.js';
import { type ReviewSource, reviewSources } from './source.js';
import { when } from './when.js';

/** Settings that the integration passes to pages: no secret, path or time. A change renders every page again. */
export interface RuntimeSettings extends FragmentSettings {
	/** Version of the integration. A newer one renders every page again. */
	readonly version: string;
	/** Name of the source to use. */
	readonly account: string;
	/** Whether a page that cannot reach a source is built without reviews, instead of with an error. @default false */
	readonly mayOmit?: boolean | undefined;
}

/** Where pages find reviews when they are not rendered in the process of a build or a dev server. */
export interface RuntimePlace {
	/** For pages that are rendered on demand. Only available on their server. */
	readonly createLiveSource?: () => ReviewSource;
	/**
	 * Address of the build or dev server, with its key. If it is invalid or cannot be reached, pages that use it fail.
	 * `undefined` for pages that no build renders, such as in a test.
	 */
	readonly build?: string | undefined;
}

/** Access to the source of a page. */
export interface PageSource {
	/** The source; `undefined` if there is none. @throws NoReviewSourceError if the build cannot be reached */
	find(page: PageContext): ReviewSource | undefined;
	/** Loads something of a product. For a page that is rendered on demand, also updates its route cache. */
	ask<Value>(
		of: keyof StoredData,
		pid: string,
		page: PageContext,
		load: (source: ReviewSource) => Value | Promise<Value>,
	): Value | undefined | Promise<Value | undefined>;
	/** Makes the source request products again. @returns whether all instances can learn of it. */
	forget(pids: readonly string[] | undefined): Promise<boolean>;
}

export function createPageSource(
	{ account }: Pick<RuntimeSettings, 'account'>,
	{ createLiveSource, build }: RuntimePlace,
): PageSource {
	let live: ReviewSource | undefined;
	const liveSource = () => {
		live ??= createLiveSource?.();
		return live;
	};
	const find = ({ url }: PageContext) =>
		reviewSources().get(account) ?? liveSource() ?? remoteSource(build, url?.pathname) ?? warnOnce();
	return {
		find,
		ask(of, pid, page, load) {
			const source = find(page);
			// Before anything is waited for, because the head of the response may be sent by then.
			if (source?.freshness) tagPage(page.cache, pid);
			return when(source && load(source), (value) => {
				if (source?.freshness) shortenPage(page.cache, source.freshness(of, pid));
				return value;
			});
		},
		// An instance that has not rendered anything yet can still tell the others.
		forget: async (pids) => (await (reviewSources().get(account) ?? liveSource())?.forget?.(pids)) ?? true,
	};
}

/** The build or dev server, for a page that is rendered outside its process. */
function remoteSource(build: string | undefined, page: string | undefined): ReviewSource | undefined {
	if (build === undefined) return undefined;
	if (!build.startsWith('http:')) throw new NoReviewSourceError();
	return createRemoteSource(build, page);
}

let warned = false;

function warnOnce(): ReviewSource | undefined {
	if (!warned) {
		console.warn(
			'[astro-product-reviews] This page is rendered neither by `astro build` or `astro dev` nor by the built server, so it has no reviews. [PR_NO_REVIEW_SOURCE]',
		);
	}
	warned = true;
	return undefined;
}

/**
 * A source that calls the build or dev server over loopback, for a page rendered outside its process. Uses no Node API.
 * @param address of the server, with the key as its fragment.
 * @param page path of the page's address; `undefined` if unknown.
 * @throws NoReviewSourceError from every call if the server cannot be reached.
 */
function createRemoteSource(address: string, page: string | undefined): ReviewSource {
	const [url = '', key] = address.split('#');
	const call = async <Value>(method: RemoteCall['method'], ...args: unknown[]): Promise<Value> => {
		const body: RemoteCall = { method, args, page };
		const response = await fetch(url, {
			method: 'POST',
			headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
			body: JSON.stringify(body),
		}).catch((error: unknown) => {
			throw new NoReviewSourceError({ cause: error });
		});
		// Another program may be listening there by now.
		if (response.status !== 200 && response.status !== 500) throw new NoReviewSourceError();
		const answer = (await response.json()) as { value: Value } & RemoteError;
		if (response.status === 200) return answer.value;
		throw Object.assign(new Error(answer.message), { name: answer.name });
	};
	return {
		getFragment: (pid, request) => call('getFragment', pid, request),
		getProductReviews: (pid) => call('getProductReviews', pid),
		getStarRating: (pid) => call('getStarRating', pid),
		getReviewData: (pid) => call('getReviewData', pid),
		digestOf: (pids) => call('digestOf', pids),
		place: (facts) => call('place', facts),
	};
}
