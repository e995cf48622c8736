/** Returns a non-empty text; null, missing and empty texts become `undefined`. */
export function orUndefined(value: string | null | undefined): string | undefined {
	return value === null || value === '' ? undefined : value;
}

/** Returns the list, or an empty one. */
export function orEmpty<Item>(value: readonly Item[] | null | undefined): readonly Item[] {
	return value ?? [];
}

/**
 * Formats a timestamp as `YYYY-MM-DD` in UTC, regardless of the machine's time zone.
 *
 * Accepts ISO 8601 (a time without a zone counts as UTC) and milliseconds since 1970, as a number or as 12 to 15 digits:
 * shorter strings of digits are seconds, or no time at all. Returns `undefined` for anything else, including days that do
 * not exist: no date is better than a wrong one.
 *
 * @example toDate('2026-11-20T23:30:00-05:00') // '2026-11-21'
 */
export function toDate(value: string | number | null | undefined): string | undefined {
	// Most dates have this format. Creating Date objects for them takes longer than reading the rest of a review.
	if (typeof value === 'string' && DATE_ONLY.test(value)) {
		return exists(value) && value >= '0001' ? value : undefined;
	}
	const time =
		typeof value === 'number' ? value : typeof value === 'string' ? readTime(value.trim()) : undefined;
	const date = new Date(time ?? Number.NaN);
	if (Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) {
		return undefined;
	}
	return date.toISOString().slice(0, 10);
}

const DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;
const DAY = '(\\d{4}-\\d{2}-\\d{2})';
const TIME = '[Tt ](\\d{2}:\\d{2})(:\\d{2})?(?:[.,]\\d+)?';
const ZONE = '(?:[Zz]|([+-]\\d{2}):?(\\d{2})?)?';
const ISO_8601 = new RegExp(`^${DAY}(?:${TIME}${ZONE})?$`);

function readTime(value: string): number | undefined {
	if (/^\d{12,15}$/.test(value)) return Number(value);
	const [, day, minutes = '00:00', seconds = ':00', zoneHours, zoneMinutes = '00'] =
		ISO_8601.exec(value) ?? [];
	if (day === undefined || !exists(day)) return undefined;
	const zone = zoneHours === undefined ? 'Z' : `${zoneHours}:${zoneMinutes}`;
	return Date.parse(`${day}T${minutes}${seconds}${zone}`);
}

const SHORT_MONTHS: ReadonlySet<number> = new Set([4, 6, 9, 11]);

/** The built-in parser accepts 31 February as 3 March. */
function exists(day: string): boolean {
	const [month, date] = [Number(day.slice(5, 7)), Number(day.slice(8))];
	if (month < 1 || month > 12 || date < 1) return false;
	if (date <= 28) return true;
	if (month !== 2) return date <= (SHORT_MONTHS.has(month) ? 30 : 31);
	const year = Number(day.slice(0, 4));
	const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
	return isLeap && date === 29;
}
