import type { RequestEvent } from './request-event.js';

/** Options of {@link createReviewsClient}. Only `baseUrl` and `wsid` must be given. */
export interface ReviewsClientOptions {
	/**
	 * Origin of the service: scheme, host and port, without path, query or credentials. https only, but for the
	 * own machine (`localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`) or with `allowHttp`.
	 * @example 'https://reviews.example'
	 */
	baseUrl: string;
	/** Website id that the service gave the store. Sent with `getCrawlerReviews`. */
	wsid: string;
	/**
	 * Access token, or a function that gives one. `getStarRatings` and `getProductReviewData` need it. The function
	 * is called once and its answer kept, until the service answers 401: then it is called once more.
	 */
	token?: string | (() => string | Promise<string>) | undefined;
	/** Sends the token with `getCrawlerReviews`, too. @default false */
	authorizeCrawlerReviews?: boolean | undefined;
	/** Takes an http address that is not of the own machine. @default false */
	allowHttp?: boolean | undefined;
	/** Longest time for one request, headers and body, in milliseconds. @default 10_000 */
	timeout?: number | undefined;
	/**
	 * Longest time for one operation with all its tries and waits, in milliseconds, from when its turn comes.
	 * `getStarRatings` counts it for each list of products that it sends. @default 60_000
	 */
	deadline?: number | undefined;
	/** How many times a failed request is tried again. @default 4 */
	retries?: number | undefined;
	/**
	 * How many requests may be in flight at once, 1 to 256; a request keeps its place through its tries and the waits
	 * between them. While the service answers 429, 503 or 504, times out or becomes much slower, fewer are sent; right
	 * answers raise the number again. After three failures in a row for each request in flight, but no fewer than 20, the
	 * client leaves the service alone for 30 seconds, and operations throw `ReviewsPausedError`.
	 * @default 8
	 */
	concurrency?: number | undefined;
	/** How many requests the client starts in a second, evenly spaced. @default no limit */
	requestsPerSecond?: number | undefined;
	/** How many product ids `getStarRatings` sends in one request. @default 100 */
	maxListLength?: number | undefined;
	/** Longest answer, in bytes after decompression. @default 8_388_608 (8 MiB) */
	maxResponseBytes?: number | undefined;
	/**
	 * Longest pause that the service may ask for (`Retry-After`), in milliseconds. After a longer one the client
	 * stops asking: every operation throws `ReviewsPausedError` until it has passed. Then one request finds out
	 * whether the service answers again, and the others wait for it. @default 60_000
	 */
	maxRetryAfter?: number | undefined;
	/**
	 * Longest pause that is believed, in milliseconds; a longer one counts as this. For a process that lives long: a
	 * service that asks for a year by mistake is not to be left alone until a restart. @default 31_536_000_000 (a year)
	 */
	maxPause?: number | undefined;
	/** Sends a request. It should obey `signal` and `redirect: 'manual'`. @default the global `fetch` */
	fetch?: typeof globalThis.fetch | undefined;
	/** The time, in milliseconds since 1970. @default Date.now */
	now?: (() => number) | undefined;
	/**
	 * Milliseconds of a clock that is never set, for lengths of time. @default `now` where that is given, or else
	 * performance.now
	 */
	monotonicNow?: (() => number) | undefined;
	/** Waits, and rejects with the signal's reason when it aborts. @default a timer */
	sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
	/** A number from 0 up to but not including 1. @default Math.random */
	random?: (() => number) | undefined;
	/** Told of each request when it has ended. It must not throw: what it throws, the operation throws. */
	onRequest?: ((event: RequestEvent) => void) | undefined;
}
