import type { RequestEvent } from './request-event.js';

/** Options of {@link createReviewsClient}. Only `baseUrl` and `wsid` must be given. */
export interface ReviewsClientOptions {
	/**
	 * Origin of the service: scheme, host and port, without path, query or credentials. Must be https, except for the
	 * local machine (`localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`) or with `allowHttp`.
	 * @example 'https://reviews.example'
	 */
	baseUrl: string;
	/** Website id that the service assigned to the store. Sent with `getCrawlerReviews`. */
	wsid: string;
	/**
	 * Access token, or a function that returns one. `getStarRatings` and `getProductReviewData` need it. The function is
	 * called once and its result kept until the service answers 401. Then it is called once more.
	 */
	token?: string | (() => string | Promise<string>) | undefined;
	/** Sends the token with `getCrawlerReviews`, too. @default false */
	authorizeCrawlerReviews?: boolean | undefined;
	/** Allows an http address of another machine. @default false */
	allowHttp?: boolean | undefined;
	/** Time limit for one request, headers and body, in milliseconds. @default 10_000 */
	timeout?: number | undefined;
	/**
	 * Time limit for one operation with all its tries and waits, in milliseconds, from when its turn comes. For
	 * `getStarRatings`, it applies to each list of products. @default 60_000
	 */
	deadline?: number | undefined;
	/** How many times a failed request is retried. @default 4 */
	retries?: number | undefined;
	/**
	 * Maximum number of requests in flight, 1 to 256. A request keeps its slot through its tries and the waits between
	 * them. If the service answers 429, 503 or 504, times out or becomes much slower, fewer are sent. Successful
	 * answers raise the number again. After three failures in a row for each request in flight, but at least 20, the
	 * client sends no requests for 30 seconds, and operations throw `ReviewsPausedError`.
	 * @default 8
	 */
	concurrency?: number | undefined;
	/** Maximum number of requests started per second, evenly spaced. @default no limit */
	requestsPerSecond?: number | undefined;
	/** Maximum number of product ids in one request of `getStarRatings`. @default 100 */
	maxListLength?: number | undefined;
	/** Maximum size of an answer, in bytes after decompression. @default 8_388_608 (8 MiB) */
	maxResponseBytes?: number | undefined;
	/**
	 * Longest pause requested by the service (`Retry-After`) that operations wait for, in milliseconds. If it requests
	 * a longer one, the client stops sending requests, and every operation throws `ReviewsPausedError` until it has
	 * passed. Then one request probes whether the service answers again, and the others wait for it. @default 60_000
	 */
	maxRetryAfter?: number | undefined;
	/**
	 * Longest pause that is honored, in milliseconds. A longer one is shortened to this. For long-lived processes: if
	 * the service requests a year by mistake, they should not need a restart. @default 31_536_000_000 (a year)
	 */
	maxPause?: number | undefined;
	/** Sends a request. It should respect `signal` and `redirect: 'manual'`. @default the global `fetch` */
	fetch?: typeof globalThis.fetch | undefined;
	/** The current time, in milliseconds since 1970. @default Date.now */
	now?: (() => number) | undefined;
	/** Monotonic clock, in milliseconds, for durations. @default `now` if that is given, or else performance.now */
	monotonicNow?: (() => number) | undefined;
	/** Waits, and rejects with the signal's reason when it aborts. @default a timer */
	sleep?: ((milliseconds: number, signal: AbortSignal) => Promise<void>) | undefined;
	/** A number from 0 up to but not including 1. @default Math.random */
	random?: (() => number) | undefined;
	/** Called with each request when it has ended. It must not throw: the operation would throw its error. */
	onRequest?: ((event: RequestEvent) => void) | undefined;
}
