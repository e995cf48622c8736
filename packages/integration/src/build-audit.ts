import { rmSync } from 'node:fs';
import type { AstroIntegrationLogger } from 'astro';
import { AuditError } from './errors.js';
import type { ProductReviewsOptions } from './options/schema.js';
import { createAudit, describeFindings } from './placements/audit.js';
import type { Placement } from './placements/placement.js';
import { writeReport } from './write-report.js';

/** The audit of one `astro build`, from what its components placed on its pages. */
export interface BuildAudit {
	/** Something was placed, on a page or before one is rendered. */
	place(placement: Placement): void;
	/** Audits a page that was rendered. @returns whether nothing is wrong with it. */
	add(page: string, placements: readonly Placement[]): boolean;
	/** Says what is wrong, and writes the report. */
	finish(): void;
	/** @throws AuditError where something is wrong and the option `audit` is `'error'`. */
	assertClean(): void;
}

export function startAudit(
	option: ProductReviewsOptions['audit'],
	reportFile: string,
	logger: Pick<AstroIntegrationLogger, 'warn'>,
): BuildAudit {
	const audit = createAudit();
	// A build that fails must not leave the report of the one before.
	rmSync(reportFile, { force: true });
	return {
		place({ component, pid }) {
			if (component === 'own-markup') audit.addOwnMarkup(pid);
		},
		add: (page, placements) => option === 'off' || audit.add(page, placements),
		finish() {
			for (const line of describeFindings(audit.findings)) logger.warn(line);
			try {
				writeReport(reportFile, { audit: { pages: audit.pages, findings: audit.findings } }, Date.now());
			} catch (error) {
				logger.warn(`The report could not be written: ${(error as Error).message}. The build goes on.`);
			}
		},
		assertClean() {
			if (option !== 'error' || audit.findings.length === 0) return;
			const pages = new Set(audit.findings.map(({ page }) => page)).size;
			throw new AuditError(
				`The audit of the reviews found something wrong with ${pages === 1 ? 'one page' : `${pages.toLocaleString('en')} pages`}; the warnings above say what and where.`,
				`All of it is in "${reportFile}". To build all the same, set the option "audit" of productReviews() to "warn".`,
			);
		},
	};
}
