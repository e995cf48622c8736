import { readFileSync } from 'node:fs';
import type { BuildReport } from '../report/build-report.js';
import { summarize } from '../report/summarize.js';
import { plainLine, printableJson } from '../text/clean-text.js';
import { ago, amount, nameProduct, reasonOf } from '../text/words.js';

/**
 * Prints the report of the last build.
 * @param name the file, for messages.
 * @param now milliseconds since 1970.
 * @throws Error if there is no report, or the file is not one.
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

function readReport(file: string, name: string): BuildReport {
	try {
		const report = JSON.parse(readFileSync(file, 'utf8')) as BuildReport;
		const isReport = typeof report.builtAt === 'string' && typeof report.version === 'string';
		if (isReport && report.totals && Array.isArray(report.products)) return report;
	} catch (cause) {
		const { code, syscall } = cause as NodeJS.ErrnoException;
		if (code === 'ENOENT') {
			throw new Error(
				`There is no report at ${name}. A build writes it beside the store. Use --root, --cache-dir or --store if that is elsewhere.`,
				{ cause },
			);
		}
		if (syscall !== undefined) {
			throw new Error(`The report at ${name} cannot be read: ${reasonOf(cause)}.`, { cause });
		}
	}
	throw new Error(`The file at ${name} is not a build report. The next build writes a new one.`);
}
