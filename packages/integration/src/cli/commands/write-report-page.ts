import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { REPORT_PAGE_FILE } from '../../constants.js';
import { CommandError } from '../../errors.js';
import type { BuildReport } from '../../report/build-report.js';
import { readReport } from '../../report/read-report.js';
import { reasonOf, size } from '../../text/words.js';
import { VERSION } from '../../version.js';
import { createReportPage } from '../report-page/create-report-page.js';
import { namePath } from './locate-store.js';

/**
 * Writes the report of the last build as a page for people.
 * @param report path of the build's report.
 * @param given path of the page, relative to the working directory. @default beside the report
 * @throws CommandError if there is no report, or the page cannot be written.
 */
export function writeReportPage(report: string, given: string | undefined, cwd: string): string[] {
	const name = namePath(report, cwd);
	const page = pageOf(readReport(report, name), name);
	const file = given === undefined ? join(dirname(report), REPORT_PAGE_FILE) : resolve(cwd, given);
	try {
		writeFileSync(file, page);
	} catch (cause) {
		throw new CommandError(
			'PR_FILE_NOT_WRITTEN',
			`The page could not be written to ${namePath(file, cwd)}: ${reasonOf(cause)}.`,
			'Make its folder writable, or name another file after --html.',
			{ cause },
		);
	}
	return [`Wrote ${namePath(file, cwd)}, ${size(Buffer.byteLength(page))}\n`];
}

function pageOf(report: BuildReport, name: string): string {
	try {
		return createReportPage(report);
	} catch (cause) {
		// Only the form of the file itself can be wrong.
		throw new CommandError(
			'PR_NO_REPORT',
			`The report at ${name} does not have the form that version ${VERSION} writes.`,
			'Build again to renew it.',
			{ cause },
		);
	}
}
