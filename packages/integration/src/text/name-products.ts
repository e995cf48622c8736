import { plainLine } from './plain-line.js';

/** Products that a warning names; the others are counted. */
const MOST_NAMED = 100;
const MOST_LETTERS = 60;

/** Product ids for a log line or a message: printable, short, the first `most` by name. */
export function nameProducts(pids: readonly string[], most = MOST_NAMED): string {
	const named = pids.slice(0, most).map(nameProduct).join(', ');
	const more = pids.length - most;
	return more > 0 ? `${named} and ${more.toLocaleString('en')} more` : named;
}

/** One product id, printable and short. */
export function nameProduct(pid: string): string {
	return `"${plainLine(pid, MOST_LETTERS)}"`;
}
