import type { BuildReport } from '../../report/build-report.js';
import { readReport } from '../../report/read-report.js';
import { summarize } from '../../report/summarize.js';
import { plainLine, printableJson } from '../../text/clean-text.js';
import { ago, amount, nameProduct } from '../../text/words.js';

/**
 * Prints the report of the last build.
 * @param name the file, for messages.
 * @param now milliseconds since 1970.
 * @throws CommandError if there is no report, or the file is not one.
 */
export function printReport(
	file: string,
	name: string,
	{ json, now }: { readonly json: boolean; readonly now: number },
): string[] {
	const report = readReport(file, name);
	if (json) return [`${printableJson(report, '\t')}\n`];
	const built = Date.parse(report.builtAt);
	const age = Number.isNaN(built) ? '' : ` (${ago(now - built)})`;
	const lines = summarize(report, name);
	return [
		`Built at ${plainLine(report.builtAt, 40)}${age} with version ${plainLine(report.version, 40)}\n`,
		...(lines.length > 0 ? lines : ['No page and no list asked for reviews.']).map((line) => `${line}\n`),
		...troubles(report),
	];
}

/** Products listed; --json has all of them. */
const MOST_LISTED = 50;

const TROUBLES: ReadonlySet<string | undefined> = new Set(['stale', 'failed', 'unreadable']);

/** One line for each product for which the service failed. */
function troubles({ products }: BuildReport): string[] {
	const failed = [...products].filter(({ status }) => TROUBLES.has(status));
	if (failed.length === 0) return [];
	const lines = failed
		.slice(0, MOST_LISTED)
		.map(({ pid, status, reason = '' }) => `  ${status} ${nameProduct(pid)} ${plainLine(reason, 200)}\n`);
	const more = failed.length - lines.length;
	return [
		'The service failed for:\n',
		...lines,
		...(more > 0 ? [`  and ${amount(more)} more: see --json\n`] : []),
	];
}
