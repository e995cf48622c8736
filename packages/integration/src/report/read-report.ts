import { readFileSync } from 'node:fs';
import { CommandError } from '../errors.js';
import { reasonOf } from '../text/words.js';
import type { BuildReport } from './build-report.js';

/**
 * Reads the report of the last build.
 * @param name the file, for messages.
 * @throws CommandError if there is no report, or the file is not one.
 */
export function readReport(file: string, name: string): BuildReport {
	try {
		const report = JSON.parse(readFileSync(file, 'utf8')) as BuildReport;
		const isReport = typeof report.builtAt === 'string' && typeof report.version === 'string';
		if (isReport && report.totals && Array.isArray(report.products)) return report;
	} catch (cause) {
		const { code, syscall } = cause as NodeJS.ErrnoException;
		if (code === 'ENOENT') {
			throw new CommandError(
				'PR_NO_REPORT',
				`There is no report at ${name}.`,
				'A build writes it beside the store. Use --root, --cache-dir or --store if that is elsewhere.',
				{ cause },
			);
		}
		if (syscall !== undefined) {
			throw new CommandError(
				'PR_NO_REPORT',
				`The report at ${name} cannot be read: ${reasonOf(cause)}.`,
				'Make the file readable, or build again.',
				{ cause },
			);
		}
	}
	throw new CommandError(
		'PR_NO_REPORT',
		`The file at ${name} is not a build report.`,
		'The next build writes a new one.',
	);
}
