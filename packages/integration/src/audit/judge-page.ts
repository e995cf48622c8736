import type { ProductFacts } from '../render/facts.js';
import { RULES } from './audit-rules.js';
import type { PageMarkup } from './markup.js';
import { byProduct } from './placement-rules.js';
import type { MarkupJudgement } from './rule.js';

/** What became of one rule on a page. */
export interface JudgedRule {
	readonly rule: (typeof RULES)[number];
	/** `'open'`: the page has nothing that the rule is about, or its markup is not known. */
	readonly state: 'kept' | 'broken' | 'open';
	/** What breaks it: ids of products, or names of parts of the markup. */
	readonly broken: readonly string[];
}

/**
 * Judges a page by every rule.
 * @param markup of the finished page; `undefined` in builds, which leaves the rules about it open.
 */
export function judgePage(facts: readonly ProductFacts[], markup?: PageMarkup): JudgedRule[] {
	const page = byProduct(facts);
	return RULES.map((rule) => {
		const { isAbout, broken } =
			'find' in rule
				? { isAbout: page.some(rule.about), broken: rule.find(page).map(({ pid }) => pid) }
				: judgeMarkup(rule, markup);
		return { rule, state: broken.length > 0 ? 'broken' : isAbout ? 'kept' : 'open', broken };
	});
}

function judgeMarkup(
	{ judge }: { readonly judge: (markup: PageMarkup) => MarkupJudgement },
	markup: PageMarkup | undefined,
): MarkupJudgement {
	return markup ? judge(markup) : { isAbout: false, broken: [] };
}
