import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PageFinding } from './placements/audit.js';
import { VERSION } from './version.js';

/** What a build says about its reviews, for programs. */
export interface BuildReport {
	/** Version of the integration. */
	readonly version: string;
	/** When the build ended: ISO 8601. */
	readonly builtAt: string;
	readonly audit: {
		/** Pages that were audited: those which this build rendered. */
		readonly pages: number;
		readonly findings: readonly PageFinding[];
	};
}

/**
 * Writes the report of a build: whole, or not at all.
 * @param file where it lies; folders are made.
 * @param now milliseconds since 1970.
 * @throws Error where it cannot be written.
 */
export function writeReport(file: string, report: Pick<BuildReport, 'audit'>, now: number): void {
	const whole: BuildReport = { version: VERSION, builtAt: new Date(now).toISOString(), ...report };
	const unfinished = `${file}.${process.pid}.tmp`;
	mkdirSync(dirname(file), { recursive: true });
	try {
		writeFileSync(unfinished, `${JSON.stringify(whole, undefined, '\t')}\n`);
		renameSync(unfinished, file);
	} finally {
		rmSync(unfinished, { force: true });
	}
}
