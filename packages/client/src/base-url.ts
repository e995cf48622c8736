import type { Operation } from './contract.js';
import { ReviewsConfigurationError } from './errors.js';
import { printable, type Show } from './secrets.js';

/** URLs of a service whose operations are at different places, each with its path prefix. */
export interface BaseUrls {
	/** Of the operations that have none of their own. */
	readonly default?: string | undefined;
	/** Of `POST /api/v1/getStarRating`. */
	readonly starRating?: string | undefined;
	/** Of `POST /api/v1/getProductReviewData`. */
	readonly productReviewData?: string | undefined;
	/** Of `GET /api/llmRvwHTML`. */
	readonly crawlerHtml?: string | undefined;
}

const NAMES = {
	starRating: 'starRating',
	productReviewData: 'productReviewData',
	crawlerReviews: 'crawlerHtml',
} as const satisfies Record<Operation, keyof BaseUrls>;

/** Returns the URL that an operation uses, as it was given; `undefined` if there is none. */
export function baseUrlFor(baseUrl: string | BaseUrls | undefined, operation: Operation): string | undefined {
	if (typeof baseUrl !== 'object') return baseUrl;
	return baseUrl[nameFor(baseUrl, operation)];
}

/** Returns the name of the URL that an operation uses. */
export function nameFor(baseUrl: BaseUrls, operation: Operation): keyof BaseUrls {
	const own = NAMES[operation];
	return baseUrl[own] === undefined ? 'default' : own;
}

/**
 * Checks the option `baseUrl`.
 *
 * @returns the URL of each operation, without a slash at its end.
 * @throws ReviewsConfigurationError: see {@link resolveBaseUrl}.
 */
export function resolveBaseUrls(
	baseUrl: string | BaseUrls,
	allowHttp: boolean,
	show: Show,
): Record<Operation, string> {
	const resolve = (operation: Operation) => {
		if (typeof baseUrl !== 'object' || !baseUrl) return resolveBaseUrl(baseUrl, allowHttp, show);
		const name = nameFor(baseUrl, operation);
		if (baseUrl[name] !== undefined) return resolveBaseUrl(baseUrl[name], allowHttp, show, `baseUrl.${name}`);
		throw invalid(
			`The option baseUrl.${NAMES[operation]} is missing. Give it, or baseUrl.default for all operations.`,
		);
	};
	return {
		starRating: resolve('starRating'),
		productReviewData: resolve('productReviewData'),
		crawlerReviews: resolve('crawlerReviews'),
	};
}

/**
 * Checks one URL of the service, and returns it without a slash at its end.
 *
 * Plain http is only for the local machine, because the token is sent in a header: `localhost`, `*.localhost`,
 * 127.0.0.0/8 and `[::1]`. `allowHttp` lifts this restriction, for a service in a private network.
 *
 * @param show removes secrets, because the token may have been passed as the address by mistake.
 * @param option names it in the message.
 * @throws ReviewsConfigurationError that says how to fix the address. It never repeats credentials or a query.
 * @example resolveBaseUrl('https://reviews.example/tenant-a/', false) // 'https://reviews.example/tenant-a'
 */
export function resolveBaseUrl(
	baseUrl: string,
	allowHttp: boolean,
	show: Show = printable,
	option = 'baseUrl',
): string {
	const url =
		typeof baseUrl === 'string' && /^https?:\/\//i.test(baseUrl.trim()) ? URL.parse(baseUrl.trim()) : null;
	if (!url) {
		throw invalid(
			`The option ${option} is not an http address: ${shown(baseUrl, show)}. ` +
				'Give the URL of the service with its scheme, as in https://reviews.example.',
		);
	}
	const { origin, host } = url;
	const clean = origin + url.pathname.replace(/\/+$/, '');
	const extra = extraPart(url, baseUrl);
	if (extra) {
		throw invalid(`The option ${option} contains ${extra}. Write ${show(clean, 200)} instead.`);
	}
	if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
		throw invalid(
			`The option ${option}, ${origin}, is not encrypted. Write https://${host} instead, ` +
				'or set allowHttp to true if the network in between is your own.',
		);
	}
	return clean;
}

function invalid(message: string): ReviewsConfigurationError {
	return new ReviewsConfigurationError(message, 'PR_INVALID_URL');
}

function extraPart(url: URL, written: string): string | undefined {
	if (url.username || url.password) return 'credentials';
	if (written.includes('?')) return 'a query string';
	return written.includes('#') ? 'a fragment' : undefined;
}

function isLoopback(hostname: string): boolean {
	return /^(?:(?:.+\.)?localhost\.?|\[::1\]|127\.\d+\.\d+\.\d+)$/.test(hostname);
}

/** Credentials precede an `@`, and keys follow a `?`. Neither belongs in a log. */
function shown(value: unknown, show: Show): string {
	if (typeof value !== 'string') return `it is of the type ${value === null ? 'null' : typeof value}`;
	return /[@?#]/.test(value)
		? 'its value is not shown, because it may contain a secret'
		: `"${show(value, 80)}"`;
}
