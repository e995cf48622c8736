import { ReviewsConfigurationError } from './errors.js';
import { printable, type Show } from './secrets.js';

/**
 * Checks the option `baseUrl` and returns the origin for every request.
 *
 * Plain http is only for the local machine, because the token is sent in a header: `localhost`, `*.localhost`,
 * 127.0.0.0/8 and `[::1]`. `allowHttp` lifts this restriction, for a service in a private network.
 *
 * @param show removes secrets, because the token may have been passed as the address by mistake.
 * @throws ReviewsConfigurationError that says how to fix the address. It never repeats credentials or a query.
 * @example resolveBaseUrl('https://reviews.example/', false) // 'https://reviews.example'
 */
export function resolveBaseUrl(baseUrl: string, allowHttp: boolean, show: Show = printable): string {
	const url =
		typeof baseUrl === 'string' && /^https?:\/\//i.test(baseUrl.trim()) ? URL.parse(baseUrl.trim()) : null;
	if (!url) {
		throw invalid(
			`The option baseUrl is not an http address: ${shown(baseUrl, show)}. ` +
				'Give the origin of the service with its scheme, as in https://reviews.example.',
		);
	}
	const { origin, host } = url;
	const extra = extraPart(url, baseUrl);
	if (extra) {
		throw invalid(
			`The option baseUrl contains ${extra}, but only an origin is allowed. Write ${origin} instead.`,
		);
	}
	if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
		throw invalid(
			`The option baseUrl, ${origin}, is not encrypted. Write https://${host} instead, ` +
				'or set allowHttp to true if the network in between is your own.',
		);
	}
	return origin;
}

function invalid(message: string): ReviewsConfigurationError {
	return new ReviewsConfigurationError(message, 'PR_INVALID_ADDRESS');
}

function extraPart(url: URL, written: string): string | undefined {
	if (url.username || url.password) return 'credentials';
	if (written.includes('?')) return 'a query string';
	if (written.includes('#')) return 'a fragment';
	return url.pathname === '/' ? undefined : 'a path';
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
