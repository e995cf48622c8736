import type { ProductFacts } from '../render/facts.js';
import { type AuditRule, byProduct, RULES } from './audit-rules.js';

/** One thing that is wrong with a page. */
export interface Finding {
	readonly rule: AuditRule;
	/** The products that it is about. */
	readonly pids: readonly string[];
}

/** What is wrong with a page, from what was placed on it. */
export function auditPage(facts: readonly ProductFacts[]): Finding[] {
	const page = byProduct(facts);
	return RULES.flatMap(({ name, find }) => {
		const pids = find(page).map(({ pid }) => pid);
		return pids.length > 0 ? [{ rule: name, pids }] : [];
	});
}
