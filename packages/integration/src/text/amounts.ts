const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A length of time in words, from milliseconds: "42 s", "5 min", "3 h", "12 d"; "future" where it is negative. */
export function ageText(milliseconds: number): string {
	if (milliseconds < 0) return 'future';
	if (milliseconds < MINUTE) return `${Math.floor(milliseconds / SECOND)} s`;
	if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} min`;
	// Two days in hours still say which evening it was.
	if (milliseconds < 2 * DAY) return `${Math.floor(milliseconds / HOUR)} h`;
	return `${Math.floor(milliseconds / DAY).toLocaleString('en')} d`;
}

/** How long ago something was, from milliseconds: "3 h ago". */
export function agoText(milliseconds: number): string {
	return milliseconds < 0 ? 'in the future' : `${ageText(milliseconds)} ago`;
}

/** A number of bytes: "512 B", "13.2 KB", "31.0 MB". */
export function sizeText(bytes: number): string {
	if (bytes < 1e3) return `${bytes} B`;
	return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** A count with its noun: "1 product", "2,000 products". */
export function countText(count: number, noun: string): string {
	return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

/** A time in ISO 8601, from milliseconds since 1970; a number that is no time stays one. */
export function timeText(milliseconds: number): string {
	const date = new Date(milliseconds);
	return Number.isNaN(date.getTime()) ? String(milliseconds) : date.toISOString();
}
