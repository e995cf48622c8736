/**
 * Reads an HTTP date in one of its three forms (RFC 9110, 5.6.7).
 *
 * @returns milliseconds since 1970; `undefined` for anything else.
 * @example parseHttpDate('Sun, 06 Nov 1994 08:49:37 GMT') // 784111777000
 */
export function parseHttpDate(value: string): number | undefined {
	if (!HTTP_DATE.test(value)) return undefined;
	// The asctime form has no zone and means UTC.
	const date = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
	return Number.isNaN(date) ? undefined : date;
}

const HTTP_DATE =
	/^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT|[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} [\d:]{8} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;
