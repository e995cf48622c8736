import { readFileSync } from 'node:fs';
import type { BuildReport } from '../report/build-report.js';
import { summarize } from '../report/summarize.js';
import { agoText } from '../text/amounts.js';
import { nameProduct } from '../text/name-products.js';
import { plainLine } from '../text/plain-line.js';
import { jsonText } from './json-text.js';

/**
 * What the last build reported.
 * @param name the file, for messages.
 * @param now milliseconds since 1970.
 * @throws Error where there is no report, or the file is none.
 */
export function printReport(
	file: string,
	name: string,
	{ json, now }: { readonly json: boolean; readonly now: number },
): string[] {
	const report = readReport(file, name);
	if (json) return [`${jsonText(report, '\t')}\n`];
	const built = Date.parse(report.builtAt);
	const age = Number.isNaN(built) ? '' : ` (${agoText(now - built)})`;
	const lines = summarize(report, name);
	return [
		`Built at ${plainLine(report.builtAt, 40)}${age} with version ${plainLine(report.version, 40)}\n`,
		...(lines.length > 0 ? lines : ['No page and no list asked for reviews.']).map((line) => `${line}\n`),
		...troubles(report),
	];
}

/** Products that are listed; --json has all. */
const MOST_LISTED = 50;

const TROUBLES: ReadonlySet<string | undefined> = new Set(['stale', 'failed', 'unreadable']);

/** Products for which the service failed, a line each. */
function troubles({ products }: BuildReport): string[] {
	const failed = [...products].filter(({ status }) => TROUBLES.has(status));
	if (failed.length === 0) return [];
	const lines = failed
		.slice(0, MOST_LISTED)
		.map(({ pid, status, reason = '' }) => `  ${status} ${nameProduct(pid)} ${plainLine(reason, 200)}\n`);
	const more = failed.length - lines.length;
	return ['The service failed for:\n', ...lines, ...(more > 0 ? [`  and ${more} more: see --json\n`] : [])];
}

function readReport(file: string, name: string): BuildReport {
	try {
		const report = JSON.parse(readFileSync(file, 'utf8')) as BuildReport;
		const isReport = typeof report.builtAt === 'string' && typeof report.version === 'string';
		// A version before this one wrote less.
		if (isReport && report.totals && Array.isArray(report.products)) return report;
	} catch (cause) {
		const { code, syscall } = cause as NodeJS.ErrnoException;
		if (code === 'ENOENT') {
			throw new Error(
				`There is no report at ${name}. A build writes it beside the store; --root, --cache-dir or --store say where.`,
				{ cause },
			);
		}
		if (syscall !== undefined) {
			throw new Error(`The report at ${name} cannot be read: ${syscall} failed with ${code}.`, { cause });
		}
	}
	throw new Error(`The file at ${name} is no report of a build. The next build writes a new one.`);
}
