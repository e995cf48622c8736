import { LONGEST_PAUSE_IN_MS } from '../options/longest-pause.js';
import { parseHttpDate } from './parse-http-date.js';

/**
 * Reads a `Retry-After` header: seconds, or an HTTP date (RFC 9110, 10.2.3).
 *
 * @param now the current time, in milliseconds since 1970.
 * @param most maximum result, in milliseconds.
 * @returns milliseconds from now, 0 for a date in the past; `undefined` if the header is missing or unreadable.
 * @example parseRetryAfter('120', Date.now()) // 120000
 */
export function parseRetryAfter(
	header: string | null,
	now: number,
	most: number = LONGEST_PAUSE_IN_MS,
): number | undefined {
	const value = header?.trim() ?? '';
	if (/^\d+(?:\.\d+)?$/.test(value)) return Math.min(Number(value) * 1_000, most);
	const date = parseHttpDate(value);
	return date === undefined ? undefined : Math.min(Math.max(0, date - now), most);
}
