import type { AnswerRow, AnswerState, ProductRow, SetupRow } from '../messages.js';
import { badge, button, element } from './element.js';

/** What has to be set in the configuration. */
export function viewRequired(rows: readonly SetupRow[]): HTMLElement | undefined {
	const required = rows.filter(({ isRequired }) => isRequired);
	if (required.length === 0) return undefined;
	return element('section', {}, element('h3', {}, 'Not set'), viewRows(required));
}

/** What else may be set. */
export function viewOptional(rows: readonly SetupRow[]): HTMLElement | undefined {
	const optional = rows.filter(({ isRequired }) => !isRequired);
	if (optional.length === 0) return undefined;
	return element(
		'section',
		{},
		element('h3', {}, 'Configuration'),
		element(
			'details',
			{},
			element('summary', {}, `Optional and not set: ${optional.map(({ option }) => option).join(', ')}`),
			viewRows(optional),
		),
	);
}

function viewRows(rows: readonly SetupRow[]): HTMLElement {
	const items = rows.map(({ option, text, isRequired }) =>
		element('li', { class: 'rule' }, badge(isRequired ? 'red' : 'gray', option), element('p', {}, text)),
	);
	return element('ul', {}, ...items);
}

/** The products of the page. @param onRefetch called with the product whose button is pressed. */
export function viewProducts(
	products: readonly ProductRow[],
	onRefetch: (product: ProductRow) => void,
): HTMLElement {
	const heading = element('h3', {}, `Products on this page (${products.length})`);
	if (products.length === 0)
		return element('section', {}, heading, element('p', {}, 'This page asks for no reviews.'));
	return element('section', {}, heading, ...products.map((product) => viewProduct(product, onRefetch)));
}

function viewProduct(product: ProductRow, onRefetch: (product: ProductRow) => void): HTMLElement {
	const { name, rating, uses, answers } = product;
	return element(
		'astro-dev-toolbar-card',
		{},
		element(
			'div',
			{ class: 'stack' },
			element(
				'div',
				{ class: 'row' },
				element('h4', {}, `Product ${name}`),
				button('Refetch', `product ${name}`, () => onRefetch(product)),
			),
			element('p', {}, element('strong', {}, rating), ' · ', element('code', {}, uses.join(', '))),
			element('ul', {}, ...answers.map(viewAnswer)),
		),
	);
}

const STYLES: Readonly<Record<AnswerState, Parameters<typeof badge>[0]>> = {
	service: 'green',
	fresh: 'blue',
	stale: 'yellow',
	failed: 'red',
	none: 'gray',
};

function viewAnswer({ what, state, source, age, reason, dropped, isDroppedKnown }: AnswerRow): HTMLElement {
	return element(
		'li',
		{ class: 'stack' },
		element(
			'div',
			{ class: 'row' },
			element('span', {}, what),
			badge(STYLES[state], source),
			age !== undefined && element('span', { class: 'note' }, age),
		),
		reason !== undefined && element('p', {}, `The service failed: ${reason}`),
		dropped.length > 0 && element('p', {}, `Left out: ${dropped.join(', ')}.`),
		!isDroppedKnown &&
			element('p', { class: 'note' }, 'Refetch to see whether anything of the answer is left out.'),
	);
}
