import type { ProductRow, ToolbarPage } from '../messages.js';
import { button, element } from './element.js';
import { STYLE } from './style.js';
import { viewOptional, viewProducts, viewRequired } from './view-products.js';
import { viewFindings, viewRules } from './view-rules.js';

/** What the view tells the app. */
export interface ViewEvents {
	/** Products are to be requested again. */
	readonly onRefetch: (products: readonly ProductRow[]) => void;
	/** Outlines are switched on or off. */
	readonly onOutlines: (isOn: boolean) => void;
}

/** The window of the app. */
export interface View {
	/** @param scripts texts of the page's JSON-LD. */
	show(page: ToolbarPage, scripts: readonly string[]): void;
	/** Says something that screen readers read out. */
	say(text: string): void;
	setOutlines(isOn: boolean): void;
	readonly window: HTMLElementTagNameMap['astro-dev-toolbar-window'];
	/** Moves the focus into the window. */
	focus(): void;
}

/** Adds the window to the canvas of the app. */
export function createView(canvas: ShadowRoot, { onRefetch, onOutlines }: ViewEvents): View {
	const title = element('h2', { id: 'title', tabindex: '-1' }, 'Product reviews');
	const outlines = createSwitch('Outlines', onOutlines);
	const status = element('p', { role: 'status', class: 'note' });
	const contents = element('div', { class: 'sections' }, element('p', {}, 'Waiting for the dev server.'));
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
		show(page, scripts) {
			products = page.products;
			all.hidden = products.length === 0;
			const sections = [
				viewRequired(page.setup),
				viewProducts(products, (product) => onRefetch([product])),
				viewFindings(page.rules),
				viewRules(page.rules, scripts),
				viewOptional(page.setup),
			];
			contents.replaceChildren(...sections.filter((section) => section !== undefined));
		},
		say(text) {
			status.textContent = text;
		},
		setOutlines: outlines.set,
		focus: () => title.focus(),
	};
}

/** A switch of the toolbar with a label. Its input is in a shadow root, which labels cannot refer to. */
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
