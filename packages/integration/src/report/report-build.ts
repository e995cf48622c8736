import { rmSync, statSync } from 'node:fs';
import { relative } from 'node:path';
import type { AstroIntegrationLogger } from 'astro';
import { reasonOf } from '../text/words.js';
import { createReport, type ReportParts } from './build-report.js';
import { summarize } from './summarize.js';
import { writeReport } from './write-report.js';

/** Input of a build's report, and where it is written. */
export interface ReportContext extends Omit<ReportParts, 'store'> {
	/** Path of the report. */
	readonly file: string;
	/** Path of the store's file. */
	readonly storeFile: string;
	/** Products that the store deleted as unused. */
	readonly pruned: number;
	readonly logger: Pick<AstroIntegrationLogger, 'info' | 'warn'>;
}

/** Removes the report of the previous build, which must not remain if this one fails. */
export function removeReport(file: string): void {
	// If it cannot be removed, a new one cannot be written either, and the end of the build says so.
	attempt(() => rmSync(file, { force: true }));
}

/** Writes the report of a build, and logs five lines about how it went. */
export function reportBuild({ file, storeFile, pruned, logger, ...parts }: ReportContext): void {
	const report = createReport({ ...parts, store: { bytes: sizeOf(storeFile), pruned } });
	const failure = attempt(() => writeReport(file, report));
	const written = failure ? 'not written' : relative(process.cwd(), file);
	for (const line of summarize(report, written)) logger.info(line);
	if (failure) logger.warn(`The report could not be written: ${reasonOf(failure)}. The build goes on.`);
}

function attempt(action: () => void): Error | undefined {
	try {
		action();
		return undefined;
	} catch (error) {
		return error as Error;
	}
}

function sizeOf(file: string): number | undefined {
	return statSync(file, { throwIfNoEntry: false })?.size;
}
