import type { AnswerRow, AnswerState, ProductRow, RuleRow, SetupRow, ToolbarPage } from './messages.js';

interface ViewEvents {
	readonly onRefetch: (products: readonly ProductRow[]) => void;
	readonly onOutlines: (isOn: boolean) => void;
}

export function createView(canvas: ShadowRoot, { onRefetch, onOutlines }: ViewEvents) {
	const title = element('h2', { id: 'title', tabindex: '-1' }, 'Product reviews');
	const outlines = createSwitch('Outlines', onOutlines);
	const status = element('p', { role: 'status', class: 'note' });
	const contents = element('div', { class: 'sections' }, paragraph('Waiting for the dev server.'));
	let products: readonly ProductRow[] = [];
	const all = button('Refetch all', 'products of this page', () => onRefetch(products));
	const shown = element(
		'astro-dev-toolbar-window',
		{ role: 'dialog', 'aria-labelledby': 'title' },
		element('div', { class: 'head' }, title, outlines.label, all),
		element('div', { class: 'body' }, status, contents),
	);
	canvas.append(element('style', {}, STYLE), shown);
	return {
		window: shown,
		show({ setup, rules, ...page }: ToolbarPage, scripts: readonly string[]) {
			products = page.products;
			all.hidden = products.length === 0;
			const required = setup.filter(({ isRequired }) => isRequired);
			const optional = setup.filter(({ isRequired }) => !isRequired);
			const named = optional.map(({ option }) => option).join(', ');
			const broken = rules.filter(({ state }) => state === 'broken');
			const sections = [
				required.length > 0 && section('Not set', viewSetup(required)),
				section(
					`Products on this page (${products.length})`,
					products.length === 0 && paragraph('This page shows no reviews.'),
					...products.map((product) => viewProduct(product, () => onRefetch([product]))),
				),
				section(
					`Findings (${broken.length})`,
					broken.length > 0 ? list(broken.map(viewFinding)) : paragraph('This page breaks no rule.'),
				),
				viewRules(rules, scripts),
				optional.length > 0 &&
					section('Configuration', details(`Optional and not set: ${named}`, viewSetup(optional))),
			];
			contents.replaceChildren(...sections.filter((section) => section !== false));
		},
		/** Says something that screen readers read out. */
		say(text: string) {
			status.textContent = text;
		},
		setOutlines: outlines.set,
		focus: () => title.focus(),
	};
}

/** Makes a switch of the toolbar with a label. Its input is in a shadow root, which labels cannot refer to. */
function createSwitch(text: string, onChange: (isOn: boolean) => void) {
	const toggle = element('astro-dev-toolbar-toggle', {});
	const { input } = toggle;
	input.setAttribute('aria-label', text);
	input.setAttribute('role', 'switch');
	input.addEventListener('change', () => onChange(input.checked));
	const words = element('span', { 'aria-hidden': 'true' }, text);
	words.addEventListener('click', () => input.click());
	return {
		label: element('div', { class: 'switch' }, words, toggle),
		set(isOn: boolean) {
			input.checked = isOn;
		},
	};
}

function viewSetup(rows: readonly SetupRow[]): HTMLElement {
	return list(
		rows.map(({ option, text, isRequired }) =>
			withBadge(badge(isRequired ? 'red' : 'gray', option), element('p', {}, text)),
		),
	);
}

function viewRules(rules: readonly RuleRow[], scripts: readonly string[]): HTMLElement {
	const counts = STATES.map(({ state, word }) => {
		const number = rules.filter((rule) => rule.state === state).length;
		return `${number} ${word}`;
	});
	const sorted = STATES.flatMap(({ state }) => rules.filter((rule) => rule.state === state));
	return section(
		'Structured data',
		details(`Rules: ${counts.join(', ')}`, list(sorted.map(viewRule))),
		...scripts.map((text, index) =>
			details(
				`JSON-LD script ${index + 1} of ${scripts.length}`,
				element('pre', { tabindex: '0' }, indent(text)),
			),
		),
		scripts.length === 0 && paragraph('This page has no JSON-LD.'),
	);
}

const STATES = [
	{ state: 'broken', style: 'red', word: 'broken' },
	{ state: 'kept', style: 'green', word: 'kept' },
	{ state: 'open', style: 'gray', word: 'not applicable' },
] as const;

function viewFinding(rule: RuleRow): HTMLElement {
	const { text, remedy = '', broken, weight } = rule;
	const more = broken.length - MAX_NAMED;
	const names = `${broken.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
	const note = element('p', { class: 'note' }, `Here: ${names}. ${weight}`);
	return withBadge(badgeOf(rule), element('div', {}, paragraph(text), paragraph(remedy), note));
}

const MAX_NAMED = 10;

function viewRule(rule: RuleRow): HTMLElement {
	const note = element('p', { class: 'note' }, rule.weight);
	return withBadge(badgeOf(rule), element('div', {}, paragraph(rule.text), note));
}

function badgeOf({ state, isRecommended }: RuleRow): HTMLElement {
	if (state === 'broken' && isRecommended) return badge('yellow', 'could be better');
	const { style, word } = STATES.find((one) => one.state === state) ?? STATES[0];
	return badge(style, word);
}

/** Indents JSON; a text that is not JSON stays as it is. */
function indent(text: string): string {
	try {
		return JSON.stringify(JSON.parse(text), null, 2);
	} catch {
		return text;
	}
}

/** The look of the app. Astro's toolbar is dark, whatever the page is. */
const STYLE = `
	astro-dev-toolbar-window {
		z-index: 2000000005;
		width: min(600px, 100%);
		max-height: min(560px, calc(100vh - 96px));
		padding: 0;
		overflow: auto;
		font-size: 14px;
		line-height: 1.45;
		overflow-wrap: anywhere;
	}
	.head {
		position: sticky;
		top: 0;
		z-index: 1;
		display: flex;
		flex-wrap: wrap;
		align-items: center;
		gap: 8px 16px;
		padding: 14px 20px;
		border-bottom: 1px solid #343841;
		background: #13151a;
	}
	.head h2 { flex: 1 1 auto; }
	.body { padding: 16px 20px 20px; }
	.sections { display: grid; grid-template-columns: minmax(0, 1fr); gap: 20px; }
	/* It stays in the accessibility tree, so that what it says next is read out. */
	[role="status"]:empty { position: absolute; }
	[role="status"] { margin-bottom: 12px; }
	pre:focus-visible, summary:focus-visible { outline: 2px solid #e0ccfa; outline-offset: 2px; }
	section, .stack { display: grid; grid-template-columns: minmax(0, 1fr); gap: 8px; }
	h2, h3, h4, p, ul, dl, dd, pre { margin: 0; padding: 0; }
	h2, h3, h4 { color: #fff; font-weight: 600; line-height: 1.3; }
	h2 { font-size: 18px; }
	h3 { font-size: 15px; }
	h4 { font-size: 14px; flex: 1 1 auto; }
	ul { display: grid; gap: 8px; list-style: none; }
	strong { color: #fff; font-weight: 600; }
	code { font-family: ui-monospace, monospace; font-size: 12px; }
	.row { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 10px; }
	.row > p { flex: 1 1 auto; }
	.rule { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 4px 10px; align-items: start; }
	.note { color: #9fa3b2; font-size: 13px; }
	.switch { display: flex; align-items: center; gap: 8px; cursor: pointer; }
	summary { cursor: pointer; color: #fff; }
	details[open] > summary { margin-bottom: 8px; }
	pre {
		max-height: 240px;
		padding: 10px;
		overflow: auto;
		border: 1px solid #343841;
		border-radius: 6px;
		white-space: pre-wrap;
		font: 12px/1.45 ui-monospace, monospace;
	}
	.spoken {
		position: absolute;
		width: 1px;
		height: 1px;
		overflow: hidden;
		clip-path: inset(50%);
		white-space: nowrap;
	}
	/* Only an outline: what it is around stays as it is. */
	astro-dev-toolbar-highlight {
		z-index: 2000000000;
		box-sizing: border-box;
		border-width: 2px;
		background: none;
		pointer-events: none;
	}
	/* Stands out on light and dark pages. */
	astro-dev-toolbar-highlight[highlight-style="purple"] { border-color: #9a5cf5; }
	.outline-name {
		position: absolute;
		z-index: 2000000001;
		padding: 1px 6px;
		border-radius: 4px;
		background: #13151a;
		color: #fff;
		font: 12px/1.5 ui-monospace, monospace;
		pointer-events: none;
		white-space: nowrap;
	}
	.outline-name[data-is-hidden] { background: #4d3305; color: #f9e9c4; }
`;

function viewProduct({ name, rating, uses, answers }: ProductRow, onRefetch: () => void): HTMLElement {
	const refetch = button('Refetch', `product ${name}`, onRefetch);
	return element(
		'astro-dev-toolbar-card',
		{},
		element(
			'div',
			{ class: 'stack' },
			element('div', { class: 'row' }, element('h4', {}, `Product ${name}`), refetch),
			element('p', {}, element('strong', {}, rating), ' · ', element('code', {}, uses.join(', '))),
			list(answers.map(viewAnswer)),
		),
	);
}

const STATE_STYLES: Readonly<Record<AnswerState, Parameters<typeof badge>[0]>> = {
	service: 'green',
	fresh: 'blue',
	stale: 'yellow',
	failed: 'red',
	none: 'gray',
};

function viewAnswer({ what, state, source, age, reason, dropped, isDroppedKnown }: AnswerRow): HTMLElement {
	const note = (text: string) => element('span', { class: 'note' }, text);
	return element(
		'li',
		{ class: 'stack' },
		element(
			'div',
			{ class: 'row' },
			element('span', {}, what),
			badge(STATE_STYLES[state], source),
			age !== undefined && note(age),
		),
		reason !== undefined && element('p', {}, `The service failed: ${reason}`),
		dropped.length > 0 && element('p', {}, `Left out: ${dropped.join(', ')}.`),
		!isDroppedKnown && note('Refetch to see whether anything of the answer is left out.'),
	);
}

type Content = Node | string | undefined | false;

/**
 * Makes an element. Strings become text, never markup: they may come from strangers.
 * @example element('p', { class: 'note' }, 'One ', element('b', {}, 'and'), ' more')
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
	name: Name,
	attributes: Readonly<Record<string, string>>,
	...contents: readonly Content[]
): HTMLElementTagNameMap[Name] {
	const made = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
	for (const content of contents) if (content) made.append(content);
	return made;
}

function section(heading: string, ...contents: readonly Content[]): HTMLElement {
	return element('section', {}, element('h3', {}, heading), ...contents);
}

function details(summary: string, ...contents: readonly Content[]): HTMLElement {
	return element('details', {}, element('summary', {}, summary), ...contents);
}

function list(items: readonly HTMLElement[]): HTMLElement {
	return element('ul', {}, ...items);
}

function withBadge(...contents: readonly Content[]): HTMLElement {
	return element('li', { class: 'rule' }, ...contents);
}

/** Makes a paragraph, with the text between backticks as code. */
function paragraph(text: string): HTMLElement {
	const parts = text.split('`').map((part, index) => (index % 2 === 0 ? part : element('code', {}, part)));
	return element('p', {}, ...parts);
}

function badge(style: 'gray' | 'green' | 'yellow' | 'red' | 'blue', text: string): HTMLElement {
	return element('astro-dev-toolbar-badge', { 'badge-style': style, size: 'small' }, text);
}

/** Makes a button of the toolbar. @param about subject of the button, for screen readers */
function button(text: string, about: string, onClick: () => void): HTMLElement {
	const more = element('span', { class: 'spoken' }, ` ${about}`);
	const made = element('astro-dev-toolbar-button', { 'button-style': 'gray', size: 'small' }, text, more);
	made.addEventListener('click', onClick);
	return made;
}
