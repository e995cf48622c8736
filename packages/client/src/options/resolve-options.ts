import { ReviewsConfigurationError } from '../errors/index.js';
import { printable, type Show } from '../printable.js';
import { LONGEST_PAUSE_IN_MS } from './longest-pause.js';
import { resolveBaseUrl } from './resolve-base-url.js';
import type { ReviewsClientOptions } from './reviews-client-options.js';
/** Options with their defaults, except the token, which only {@link createTokenSource} holds. */
export type Settings = ReturnType<typeof resolveOptions>;

/**
 * Checks the options and fills in the defaults.
 *
 * @param show removes secrets from values quoted in messages.
 * @throws ReviewsConfigurationError for the first invalid option.
 */
export function resolveOptions(options: ReviewsClientOptions, show: Show = printable) {
	const number = (name: keyof typeof NUMBER_OPTIONS) => numberOption(options, name, show);
	if (typeof options.wsid !== 'string' || options.wsid.trim() === '') {
		throw new ReviewsConfigurationError(
			'The option wsid is missing or empty. Give the website id that the service gave the store.',
		);
	}
	return {
		origin: resolveBaseUrl(options.baseUrl, options.allowHttp ?? false, show),
		wsid: options.wsid,
		authorizeCrawlerReviews: options.authorizeCrawlerReviews ?? false,
		timeout: number('timeout'),
		deadline: number('deadline'),
		retries: number('retries'),
		concurrency: number('concurrency'),
		requestsPerSecond: options.requestsPerSecond === undefined ? undefined : number('requestsPerSecond'),
		maxListLength: number('maxListLength'),
		maxResponseBytes: number('maxResponseBytes'),
		maxRetryAfter: number('maxRetryAfter'),
		maxPause: number('maxPause'),
		// Looked up on each call, in case it is replaced later by a test or instrumentation.
		fetch: options.fetch ?? ((input: URL | RequestInfo, init?: RequestInit) => globalThis.fetch(input, init)),
		now: options.now ?? Date.now,
		monotonicNow: options.monotonicNow ?? options.now ?? (() => performance.now()),
		sleep: options.sleep ?? sleep,
		random: options.random ?? Math.random,
		onRequest: options.onRequest,
	};
}

/** Timers of all runtimes take a signed 32-bit number of milliseconds. Longer ones would fire immediately. */
const LONGEST_TIMER_IN_MS = 2_147_483_647;

const NUMBER_OPTIONS = {
	timeout: { unit: 'milliseconds', least: 1, most: LONGEST_TIMER_IN_MS, default: 10_000 },
	deadline: { unit: 'milliseconds', least: 1, most: LONGEST_TIMER_IN_MS, default: 60_000 },
	retries: { unit: 'further tries', least: 0, most: 100, default: 4, whole: true },
	concurrency: { unit: 'requests in flight', least: 1, most: 256, default: 8, whole: true },
	requestsPerSecond: { unit: 'requests a second', least: 0.001, most: 100_000, default: 'no limit' },
	maxListLength: { unit: 'product ids', least: 1, most: 100_000, default: 100, whole: true },
	maxResponseBytes: { unit: 'bytes', least: 1, most: 2 ** 29, default: 8 * 1024 * 1024, whole: true },
	maxRetryAfter: { unit: 'milliseconds', least: 0, most: LONGEST_TIMER_IN_MS, default: 60_000 },
	maxPause: { unit: 'milliseconds', least: 1, most: LONGEST_PAUSE_IN_MS, default: LONGEST_PAUSE_IN_MS },
} as const;

function numberOption(options: ReviewsClientOptions, name: keyof typeof NUMBER_OPTIONS, show: Show): number {
	const rule: { unit: string; least: number; most: number; default: number | string; whole?: boolean } =
		NUMBER_OPTIONS[name];
	const value: unknown = options[name] ?? rule.default;
	const fits = typeof value === 'number' && value >= rule.least && value <= rule.most;
	if (fits && (!rule.whole || Number.isInteger(value))) return value;
	throw new ReviewsConfigurationError(
		`The option ${name} must be a ${rule.whole ? 'whole ' : ''}number of ${rule.unit} from ${rule.least} to ` +
			`${rule.most}, but it is ${show(String(value), 40)}. ` +
			`Leave it out for the default (${rule.default}).`,
	);
}

/**
 * Waits for a number of milliseconds. The timer is cleared when the signal aborts, so that it does not keep the process
 * alive.
 *
 * @throws the signal's reason when it aborts.
 */
function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		if (signal.aborted) {
			reject(signal.reason);
			return;
		}
		const timer = setTimeout(() => {
			signal.removeEventListener('abort', onAbort);
			resolve();
		}, milliseconds);
		function onAbort() {
			clearTimeout(timer);
			reject(signal.reason);
		}
		signal.addEventListener('abort', onAbort, { once: true });
	});
}
