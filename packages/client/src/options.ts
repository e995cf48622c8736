import { type BaseUrls, resolveBaseUrls } from './base-url.js';
import type { Operation } from './contract.js';
import { ReviewsConfigurationError } from './errors.js';
import { printable, type Show, type TokenOption } from './secrets.js';

/** One completed request, successful or not. Contains no secrets. */
export interface RequestEvent {
	readonly operation: Operation;
	readonly method: string;
	/** Without the query string. */
	readonly url: string;
	readonly pids: readonly string[];
	/** 1 for the first try of an operation. */
	readonly attempt: number;
	/** Omitted if there was no answer. */
	readonly status?: number;
	/** From the start of the request to the end of its body, in milliseconds. */
	readonly durationMs: number;
	/** Number of bytes of the body that were read, after decompression. */
	readonly bytes: number;
	/** Failure of the try; omitted if the try succeeded. */
	readonly error?: Error;
}

/** Options of {@link createReviewsClient}. Only `baseUrl` and `wsid` must be given. */
export interface ReviewsClientOptions {
	/**
	 * URL of the service: scheme, host, port and a path prefix, if it has one, without query or credentials; or one for
	 * each operation. Must be https, except for the local machine (`localhost`, `*.localhost`, 127.0.0.0/8, `[::1]`) or
	 * with `allowHttp`.
	 * @example 'https://reviews.example/tenant-a'
	 * @example { default: 'https://reviews.example', crawlerHtml: 'https://html.example' }
	 */
	baseUrl: string | BaseUrls;
	/** Names the place where the URL of each operation is set, for messages of errors. @default 'the option baseUrl' */
	urlOrigins?: Readonly<Record<Operation, string>> | undefined;
	/** Website ID that the service assigned to the store. Sent with `getCrawlerReviews`. */
	wsid: string;
	/**
	 * Access token, or a function that returns one, such as `apiKeyToken()`. `getStarRatings` and `getProductReviewData`
	 * need it. The function is called once and its result kept until the service answers 401. Then it is called once more,
	 * with the refused token.
	 */
	token?: TokenOption;
	/** Sends the token with `getCrawlerReviews`, too. @default false */
	sendTokenForReviews?: boolean | undefined;
	/** Allows an http address of another machine. @default false */
	allowHttp?: boolean | undefined;
	/** Time limit for one request, headers and body, in milliseconds. @default 10_000 */
	timeout?: number | undefined;
	/**
	 * Time limit for one operation with all its tries and waits, in milliseconds, from when its turn comes. For
	 * `getStarRatings`, the limit applies to each list of products. @default 60_000
	 */
	deadline?: number | undefined;
	/** Maximum number of retries of a failed request. @default 4 */
	retries?: number | undefined;
	/**
	 * Maximum number of requests in flight, 1 to 256. A request keeps its slot through its tries and the waits between
	 * them. If the service answers 429, or requests a pause, fewer are sent. Successful answers raise the number again.
	 * After three failures in a row for each request in flight, but at least 20, the client sends no requests for 30
	 * seconds, and operations throw `ReviewsPausedError`.
	 * @default 8
	 */
	concurrency?: number | undefined;
	/** Maximum number of requests started per second, evenly spaced. @default no limit */
	requestsPerSecond?: number | undefined;
	/** Maximum number of product IDs in one request of `getStarRatings`. @default 100 */
	maxListLength?: number | undefined;
	/**
	 * Maximum size of an answer, in bytes after decompression. An answer with more than a million lists and objects is refused
	 * whatever its size. @default 8_388_608 (8 MiB)
	 */
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

/** Timers of all runtimes take a signed 32-bit number of milliseconds. Longer ones would fire immediately. */
const LONGEST_TIMER_IN_MS = 2_147_483_647;

/** Much longer pauses would end at a date that cannot be represented. */
const LONGEST_PAUSE_IN_MS = 365 * 24 * 60 * 60 * 1_000;

/** Unit, smallest, largest and default value. */
const NUMBERS = {
	timeout: ['milliseconds', 1, LONGEST_TIMER_IN_MS, 10_000],
	deadline: ['milliseconds', 1, LONGEST_TIMER_IN_MS, 60_000],
	retries: ['further tries', 0, 100, 4],
	concurrency: ['requests in flight', 1, 256, 8],
	requestsPerSecond: ['requests a second', 0.001, 100_000, Infinity],
	maxListLength: ['product IDs', 1, 100_000, 100],
	maxResponseBytes: ['bytes', 1, 2 ** 29, 8 * 1024 * 1024],
	maxRetryAfter: ['milliseconds', 0, LONGEST_TIMER_IN_MS, 60_000],
	maxPause: ['milliseconds', 1, LONGEST_PAUSE_IN_MS, LONGEST_PAUSE_IN_MS],
} as const satisfies Record<string, readonly [unit: string, min: number, max: number, normal: number]>;

/** Times and rates may be fractions; of everything else there is a whole number. */
const FRACTIONS: ReadonlySet<string> = new Set(['milliseconds', 'requests a second']);

export type Settings = ReturnType<typeof resolveOptions>;

/** Limits the rate, the time and the tries of requests, whatever they ask for. */
export type ThrottleOptions = Pick<
	ReviewsClientOptions,
	keyof typeof NUMBERS | 'now' | 'monotonicNow' | 'sleep' | 'random'
>;

export type ThrottleSettings = ReturnType<typeof resolveThrottle>;

/** @throws ReviewsConfigurationError for the first invalid option. */
export function resolveThrottle(options: ThrottleOptions, show: Show = printable) {
	const names = Object.keys(NUMBERS) as (keyof typeof NUMBERS)[];
	const numbers = Object.fromEntries(
		names.map((name) => [name, numberOption(name, options[name], show)]),
	) as Record<keyof typeof NUMBERS, number>;
	return {
		...numbers,
		now: options.now ?? Date.now,
		monotonicNow: options.monotonicNow ?? options.now ?? (() => performance.now()),
		sleep: options.sleep,
		random: options.random ?? Math.random,
	};
}

/** @throws ReviewsConfigurationError for the first invalid option. */
export function resolveOptions(options: ReviewsClientOptions, show: Show) {
	if (typeof options.wsid !== 'string' || options.wsid.trim() === '') {
		throw new ReviewsConfigurationError(
			'The option wsid is missing or empty. Give the website ID that the service gave the store.',
		);
	}
	return {
		...resolveThrottle(options, show),
		urls: resolveBaseUrls(options.baseUrl, options.allowHttp ?? false, show),
		urlOrigins: options.urlOrigins,
		wsid: options.wsid,
		sendTokenForReviews: options.sendTokenForReviews ?? false,
		// Looked up on each call, in case it is replaced later by a test or instrumentation.
		fetch: options.fetch ?? ((input: URL | RequestInfo, init?: RequestInit) => globalThis.fetch(input, init)),
		onRequest: options.onRequest,
	};
}

function numberOption(name: keyof typeof NUMBERS, value: unknown, show: Show): number {
	const [unit, min, max, normal] = NUMBERS[name];
	if (value === undefined) return normal;
	const isWhole = !FRACTIONS.has(unit);
	const fits = typeof value === 'number' && value >= min && value <= max;
	if (fits && (!isWhole || Number.isInteger(value))) return value;
	throw new ReviewsConfigurationError(
		`The option ${name} must be a ${isWhole ? 'whole ' : ''}number of ${unit} from ${min} to ${max}, ` +
			`but it is ${show(String(value), 40)}. ` +
			`Leave it out for the default (${normal === Infinity ? 'no limit' : normal}).`,
	);
}
