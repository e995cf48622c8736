import type { Credentials } from '../options/connection.js';
import { plainLine } from '../text/plain-line.js';

const MOST_LETTERS = 60;

/** The website id for a message, and where it was set. */
export function nameWebsite({ wsid, origins }: Credentials): string {
	return `the website id "${plainLine(wsid, MOST_LETTERS)}" (${origins.wsid})`;
}
