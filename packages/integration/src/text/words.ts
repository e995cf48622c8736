import { plainLine } from './clean-text.js';

/** A number: "12,000". */
export function amount(value: number): string {
	return value.toLocaleString('en');
}

/** A count with its noun: "1 product", "2,000 products". */
export function count(value: number, noun: string): string {
	return `${amount(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** A clause as the start of a sentence. */
export function capitalize(clause: string): string {
	return clause.charAt(0).toUpperCase() + clause.slice(1);
}

/** A number of bytes: "512 B", "13.2 KB", "31.0 MB". */
export function size(bytes: number): string {
	if (bytes < 1e3) return `${bytes} B`;
	// What would be rounded to 1000.0 KB is 1.0 MB.
	return bytes < 999_950 ? `${(bytes / 1e3).toFixed(1)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** An age, from milliseconds: "42 s", "5 min", "3 h", "12 d"; "future" if it is negative. */
export function age(milliseconds: number): string {
	if (milliseconds < 0) return 'future';
	if (milliseconds < MINUTE) return `${Math.floor(milliseconds / SECOND)} s`;
	if (milliseconds < HOUR) return `${Math.floor(milliseconds / MINUTE)} min`;
	// Up to two days, hours still tell which evening it was.
	if (milliseconds < 2 * DAY) return `${Math.floor(milliseconds / HOUR)} h`;
	return `${amount(Math.floor(milliseconds / DAY))} d`;
}

/** How long ago something was, from milliseconds: "3 h ago". */
export function ago(milliseconds: number): string {
	return milliseconds < 0 ? 'in the future' : `${age(milliseconds)} ago`;
}

/** A time in ISO 8601, from milliseconds since 1970. A number that is not a valid time is returned as it is. */
export function isoTime(milliseconds: number): string {
	const date = new Date(milliseconds);
	return Number.isNaN(date.getTime()) ? String(milliseconds) : date.toISOString();
}

/** Products named in one warning; the rest are counted. */
const MOST_NAMED = 100;
const MOST_LETTERS = 60;

/** Product ids for a log line or a message: printable and short. The first `most` are named. */
export function nameProducts(pids: readonly string[], most = MOST_NAMED): string {
	const named = pids.slice(0, most).map(nameProduct).join(', ');
	const more = pids.length - most;
	return more > 0 ? `${named} and ${amount(more)} more` : named;
}

/** One product id, printable and short. */
export function nameProduct(pid: string): string {
	return `"${plainLine(pid, MOST_LETTERS)}"`;
}

/** Why a file could not be used. The file system's messages contain whole paths, which do not belong in a log; its codes do not. */
export function reasonOf(error: unknown): string {
	const { code, syscall, message } = error as NodeJS.ErrnoException;
	return syscall === undefined ? message : `${syscall} failed with ${code}`;
}
