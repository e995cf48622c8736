import type { RuleRow } from '../messages.js';
import { badge, element, paragraph } from './element.js';

/** What is wrong with the page. */
export function viewFindings(rules: readonly RuleRow[]): HTMLElement {
	const broken = rules.filter(({ state }) => state === 'broken');
	const heading = element('h3', {}, `Findings (${broken.length})`);
	if (broken.length === 0)
		return element('section', {}, heading, element('p', {}, 'This page breaks no rule.'));
	return element('section', {}, heading, element('ul', {}, ...broken.map(viewFinding)));
}

/** Every rule, and the JSON-LD that they are about. */
export function viewRules(rules: readonly RuleRow[], scripts: readonly string[]): HTMLElement {
	const count = (state: RuleRow['state']) => rules.filter((rule) => rule.state === state).length;
	const summary = `${count('kept')} kept, ${count('broken')} broken, ${count('open')} not applicable`;
	return element(
		'section',
		{},
		element('h3', {}, 'Structured data'),
		element(
			'details',
			{},
			element('summary', {}, `Rules: ${summary}`),
			element('ul', {}, ...[...rules].sort(byState).map(viewRule)),
		),
		...scripts.map((text, index) =>
			element(
				'details',
				{},
				element('summary', {}, `JSON-LD script ${index + 1} of ${scripts.length}`),
				element('pre', { tabindex: '0' }, indent(text)),
			),
		),
		scripts.length === 0 && element('p', {}, 'This page has no JSON-LD.'),
	);
}

const ORDER: readonly RuleRow['state'][] = ['broken', 'kept', 'open'];
const STYLES = { broken: 'red', kept: 'green', open: 'gray' } as const;
const WORDS = { broken: 'broken', kept: 'kept', open: 'not applicable' } as const;

function byState(a: RuleRow, b: RuleRow): number {
	return ORDER.indexOf(a.state) - ORDER.indexOf(b.state);
}

function viewFinding(rule: RuleRow): HTMLElement {
	const { remedy = '', broken, weight } = rule;
	const note = element('p', { class: 'note' }, `${namesOf(broken)} ${weight}`);
	return element(
		'li',
		{ class: 'rule' },
		badgeOf(rule),
		element('div', {}, paragraph(rule.text), paragraph(remedy), note),
	);
}

function viewRule(rule: RuleRow): HTMLElement {
	const note = element('p', { class: 'note' }, rule.weight);
	return element('li', { class: 'rule' }, badgeOf(rule), element('div', {}, paragraph(rule.text), note));
}

function badgeOf({ state, isRecommended }: RuleRow): HTMLElement {
	if (state === 'broken' && isRecommended) return badge('yellow', 'could be better');
	return badge(STYLES[state], WORDS[state]);
}

/** Names in a line; the rest are counted. */
const MOST_NAMED = 10;

function namesOf(broken: readonly string[]): string {
	const more = broken.length - MOST_NAMED;
	return `Here: ${broken.slice(0, MOST_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`;
}

/** Readable JSON; a text that is not JSON stays as it is. */
function indent(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}
