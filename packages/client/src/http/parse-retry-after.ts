/**
 * Reads a `Retry-After` header: seconds, or an HTTP date in one of its three forms (RFC 9110, 10.2.3 and 5.6.7).
 *
 * @param now the time, in milliseconds since 1970.
 * @returns milliseconds from now, 0 for a date gone by; `undefined` where the header is missing or unreadable.
 * @example parseRetryAfter('120', Date.now()) // 120000
 */
export function parseRetryAfter(header: string | null, now: number): number | undefined {
	const value = header?.trim() ?? '';
	if (/^\d+(?:\.\d+)?$/.test(value)) return Math.min(Number(value) * 1_000, LONGEST_PAUSE_IN_MS);
	if (!HTTP_DATE.test(value)) return undefined;
	// The asctime form has no zone and means UTC.
	const date = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
	if (Number.isNaN(date)) return undefined;
	return Math.min(Math.max(0, date - now), LONGEST_PAUSE_IN_MS);
}

/** A year: beyond it a date could not be written any more. */
const LONGEST_PAUSE_IN_MS = 365 * 24 * 60 * 60 * 1_000;

const HTTP_DATE =
	/^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} [\d:]{8} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;
