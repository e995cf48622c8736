import { checkConfiguration } from './checks/check-configuration.js';
import { checkLastBuild } from './checks/check-last-build.js';
import { checkNewReviews } from './checks/check-new-reviews.js';
import { checkProduct } from './checks/check-product.js';
import { checkProject } from './checks/check-project.js';
import { checkService } from './checks/check-service.js';
import { checkStore } from './checks/check-store.js';
import type { Facts } from './facts.js';
import type { Finding } from './finding.js';

const CHECKS = [
	checkProject,
	checkConfiguration,
	checkService,
	checkProduct,
	checkStore,
	checkLastBuild,
	checkNewReviews,
];

/** All findings and what follows from them. */
export interface Diagnosis {
	/** `'ok'` may include warnings. */
	readonly verdict: 'ok' | 'problems';
	readonly problems: number;
	readonly warnings: number;
	readonly findings: readonly Finding[];
	/** What to do, the most urgent first. */
	readonly next: readonly string[];
}

/** Turns facts into findings and next steps. */
export function diagnose(facts: Facts): Diagnosis {
	const findings = CHECKS.flatMap((check) => check(facts));
	const of = (state: Finding['state']) => findings.filter((finding) => finding.state === state);
	const [problems, warnings] = [of('problem'), of('warning')];
	const next = [...problems, ...warnings].flatMap((finding) => finding.next ?? []);
	return {
		verdict: problems.length > 0 ? 'problems' : 'ok',
		problems: problems.length,
		warnings: warnings.length,
		findings,
		next: [...new Set(next)],
	};
}
