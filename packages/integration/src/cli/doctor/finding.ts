import type { ErrorCode } from '../../errors/catalogue.js';

/** Parts of the output, in order. */
export const GROUPS = [
	'Project',
	'Configuration',
	'Service',
	'Product',
	'Store',
	'Last build',
	'New reviews',
] as const;

/** What one check found. */
export interface Finding {
	readonly group: (typeof GROUPS)[number];
	/** What was checked: one or two words. */
	readonly check: string;
	/** A `'problem'` keeps reviews from pages, or is likely to; a `'warning'` may be intended. */
	readonly state: 'ok' | 'warning' | 'problem';
	/** What is so: a sentence. */
	readonly text: string;
	/** What to do about it. */
	readonly next?: string;
	/** Names the problem in the documentation. */
	readonly code?: ErrorCode;
}

type Group = Finding['group'];
type Advice = Pick<Finding, 'next' | 'code'>;

/** Functions that make the findings of one group. */
export function findingsOf(group: Group) {
	return {
		ok: (check: string, text: string): Finding => ({ group, check, state: 'ok', text }),
		warning: (check: string, text: string, advice: Advice): Finding => ({
			group,
			check,
			state: 'warning',
			text,
			...advice,
		}),
		problem: (check: string, text: string, advice: Advice): Finding => ({
			group,
			check,
			state: 'problem',
			text,
			...advice,
		}),
	};
}
