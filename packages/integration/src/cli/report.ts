import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { ago, nameProduct, plainLine, printableJson, reasonOf, size } from '../base/words.js';
import { REPORT_FILE, VERSION } from '../constants.js';
import { summarize } from '../project/log-lines.js';
import { type ReadReport, readReport } from '../project/report.js';
import { locateCache } from './cache-file.js';
import { commandError } from './catalog.js';
import { createReportPage } from './report-page.js';
import { type CommandLine, listed, misused, namePath } from './terminal.js';

/** Stands beside the report, unless a file is given. */
const PAGE_FILE = 'product-reviews-report.html';

/**
 * Prints the report of the last build, or writes it as a page.
 * @throws CommandError if there is no report, or the page cannot be written.
 */
export function report({ args: [page], options: { html, json, ...place } }: CommandLine): string[] {
	if (html && json) throw misused('Give either --html or --json, not both.');
	if (!html && page !== undefined)
		throw misused(`"report" takes a file only with --html, but "${page}" was given.`);
	// The ending keeps a mistyped command from replacing another file.
	if (page !== undefined && !/\.html?$/i.test(page)) {
		throw misused(`--html takes the path of a file that ends with .html, not "${page}".`);
	}
	const file = join(dirname(locateCache(place)), REPORT_FILE);
	const name = namePath(file);
	const read = readReport(file, name);
	if (json) return [`${printableJson(read, '\t')}\n`];
	if (!html) return describeReport(read, name);
	return [writePage(page === undefined ? join(dirname(file), PAGE_FILE) : resolve(page), read, name)];
}

function writePage(file: string, report: ReadReport, name: string): string {
	const page = pageOf(report, name);
	try {
		writeFileSync(file, page);
	} catch (cause) {
		const message = `The page could not be written to ${namePath(file)}: ${reasonOf(cause)}.`;
		throw commandError('PR_FILE_NOT_WRITTEN', message, cause);
	}
	return `Wrote ${namePath(file)}, ${size(Buffer.byteLength(page))}\n`;
}

function pageOf(report: ReadReport, name: string): string {
	try {
		return createReportPage(report);
	} catch (cause) {
		// Only the form of the file itself can be wrong.
		const message = `The report at ${name} does not have the form that version ${VERSION} writes.`;
		throw commandError('PR_NO_REPORT', message, cause);
	}
}

function describeReport(report: ReadReport, name: string): string[] {
	const built = Date.parse(report.builtAt);
	const age = Number.isNaN(built) ? '' : ` (${ago(Date.now() - built)})`;
	const lines = summarize(report, name);
	const failed = report.products.filter(({ status }) => TROUBLES.has(status));
	return [
		`Built at ${plainLine(report.builtAt, 40)}${age} with version ${plainLine(report.version, 40)}\n`,
		...(lines.length > 0 ? lines : ['No page and no list requested reviews.']).map((line) => `${line}\n`),
		...(failed.length > 0 ? ['The service failed for:\n'] : []),
		...listed(
			failed,
			({ pid, status, reason = '' }) => `${status} ${nameProduct(pid)} ${plainLine(reason, 200)}`,
		),
	];
}

const TROUBLES: ReadonlySet<string | undefined> = new Set(['stale', 'failed', 'unreadable']);
