/** A text that says something, or nothing: null, missing and the empty string are one. */
export function orUndefined(value: string | null | undefined): string | undefined {
	return value === null || value === '' ? undefined : value;
}

/** A list, or an empty one. */
export function orEmpty<Item>(value: readonly Item[] | null | undefined): readonly Item[] {
	return value ?? [];
}

/** ISO 8601 or epoch milliseconds as `YYYY-MM-DD` in UTC; anything else is no date. */
export function toDate(value: string | number | null | undefined): string | undefined {
	if (value === null || value === undefined || value === '') return undefined;
	const isTime = typeof value === 'number' || ISO_8601.test(value);
	const milliseconds = isTime ? new Date(value).getTime() : epochMilliseconds(String(value));
	const date = new Date(milliseconds);
	if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999)
		return undefined;
	return date.toISOString().slice(0, 10);
}

const ISO_8601 = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Some services send epoch milliseconds as a string of digits. */
function epochMilliseconds(value: string): number {
	return /^\d{10,15}$/.test(value) ? Number(value) : Number.NaN;
}
