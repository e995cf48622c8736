import type { ProductFacts } from '../render/facts.js';
import { RULES } from './audit-rules.js';
import type { PageMarkup } from './markup.js';
import { byProduct } from './placement-rules.js';

/** What became of one rule on a page. */
export interface JudgedRule {
	readonly rule: (typeof RULES)[number];
	/** `'open'`: the page has nothing that the rule is about. */
	readonly state: 'kept' | 'broken' | 'open';
	/** What breaks it: ids of products, or names of parts of the markup. */
	readonly broken: readonly string[];
}

/** Judges a finished page by every rule. */
export function judgePage(facts: readonly ProductFacts[], markup: PageMarkup): JudgedRule[] {
	const page = byProduct(facts);
	return RULES.map((rule) => {
		const { isAbout, broken } =
			'find' in rule
				? { isAbout: page.some(rule.about), broken: rule.find(page).map(({ pid }) => pid) }
				: rule.judge(markup);
		return { rule, state: broken.length > 0 ? 'broken' : isAbout ? 'kept' : 'open', broken };
	});
}
