import type { AstroIntegrationLogger } from 'astro';
import { type Audit, createAudit, describeFindings, type Finding } from '../audit/audit.js';
import { ReviewAuditError } from '../errors.js';
import type { ProductReviewsOptions } from '../options/schema.js';
import type { ProductFacts } from '../render/facts.js';

/** The audit of one `astro build`, from what its components placed on its pages. */
export interface BuildAudit {
	/** Called when something is placed, on a page or before one is rendered. */
	place(facts: ProductFacts): void;
	/** Audits a rendered page. @returns what is wrong with it; `undefined` if the audit is off. */
	add(page: string, facts: readonly ProductFacts[]): readonly Finding[] | undefined;
	/** Adds earlier findings of a page that was not rendered again. */
	addKnown: Audit['addKnown'];
	/** Logs the findings as warnings. */
	describe(): void;
	/** For the report. */
	readonly result: Pick<Audit, 'pages' | 'findings'>;
	/** @throws ReviewAuditError if there are findings and the option `audit` is `'error'`. */
	assertClean(): void;
}

export function startAudit(
	option: ProductReviewsOptions['audit'],
	reportFile: string,
	logger: Pick<AstroIntegrationLogger, 'warn'>,
): BuildAudit {
	const audit = createAudit();
	return {
		place({ component, pid }) {
			if (component === 'own-markup') audit.addOwnMarkup(pid);
		},
		add(page, facts) {
			if (option === 'off') return undefined;
			const before = audit.findings.length;
			audit.add(page, facts);
			return audit.findings.slice(before).map(({ rule, pids }) => ({ rule, pids }));
		},
		addKnown: audit.addKnown,
		describe() {
			for (const line of describeFindings(audit.findings)) logger.warn(line);
		},
		result: audit,
		assertClean() {
			if (option !== 'error' || audit.findings.length === 0) return;
			const pages = new Set(audit.findings.map(({ page }) => page)).size;
			throw new ReviewAuditError(
				`The audit of the reviews found something wrong with ${pages === 1 ? 'one page' : `${pages.toLocaleString('en')} pages`}; the warnings above say what and where.`,
				`All of it is in "${reportFile}". To build all the same, set the option "audit" of productReviews() to "warn".`,
			);
		},
	};
}
