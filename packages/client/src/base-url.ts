import { ReviewsConfigurationError } from './errors.js';
import { messages } from './messages.js';
import { printable } from './secrets.js';

export type Show = (text: string, maxLength: number) => string;

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
	const url = typeof baseUrl === 'string' && SCHEME.test(baseUrl.trim()) ? URL.parse(baseUrl.trim()) : null;
	if (!url) throw invalid(messages.baseUrlInvalid(shown(baseUrl, show)));
	const extra = extraPart(url, baseUrl);
	if (extra) throw invalid(messages.baseUrlNotAnOrigin(extra, url.origin));
	if (url.protocol === 'http:' && !allowHttp && !isLoopback(url.hostname)) {
		throw invalid(messages.baseUrlNotEncrypted(url));
	}
	return url.origin;
}

function invalid(message: string): ReviewsConfigurationError {
	return new ReviewsConfigurationError(message, 'PR_INVALID_ADDRESS');
}

const SCHEME = /^https?:\/\//i;

function extraPart(url: URL, written: string): string | undefined {
	if (url.username || url.password) return 'credentials';
	if (url.search || written.includes('?')) return 'a query string';
	if (url.hash || written.includes('#')) return 'a fragment';
	if (url.pathname !== '/') return 'a path';
	return undefined;
}

function isLoopback(hostname: string): boolean {
	const host = hostname.replace(/\.$/, '');
	return (
		host === 'localhost' ||
		host.endsWith('.localhost') ||
		host === '[::1]' ||
		/^127\.\d+\.\d+\.\d+$/.test(host)
	);
}

/** Credentials precede an `@`, and keys follow a `?`. Neither belongs in a log. */
function shown(value: unknown, show: Show): string {
	if (typeof value !== 'string') return `it is of the type ${value === null ? 'null' : typeof value}`;
	return /[@?#]/.test(value)
		? 'its value is not shown, because it may contain a secret'
		: `"${show(value, 80)}"`;
}
