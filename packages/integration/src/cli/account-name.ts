import { plainLine } from '../text/plain-line.js';

const LENGTH = 8;

/** An account as a column shows it: the first letters of its name, which say nothing of the service. */
export function accountName(account: string): string {
	return plainLine(account, 60).slice(0, LENGTH).padEnd(LENGTH);
}
