import { type JudgedRule, judgePage } from '../audit/judge-page.js';
import type { PageMarkup } from '../audit/markup.js';
import type { ProductFacts } from '../render/facts.js';
import { capitalize } from '../text/words.js';
import type { RuleRow } from './messages.js';

/** Every rule of the audit, and what became of it on a page. */
export function describeRules(facts: readonly ProductFacts[], markup: PageMarkup): RuleRow[] {
	return judgePage(facts, markup).map(({ rule, state, broken }) => ({
		state,
		text: state === 'broken' ? `${capitalize(rule.wrong)}.` : rule.demand,
		remedy: state === 'broken' ? rule.remedy : undefined,
		broken,
		isRecommended: 'isRecommended' in rule,
		weight: weightOf(rule),
	}));
}

function weightOf(rule: JudgedRule['rule']): string {
	if ('find' in rule) return 'Builds check this, too.';
	return 'isRecommended' in rule ? 'Recommended by search engines.' : 'Required by search engines.';
}
