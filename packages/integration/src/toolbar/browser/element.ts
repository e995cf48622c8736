type Content = Node | string | undefined | false;

/**
 * Makes an element. Strings become text, never markup: they may come from strangers.
 * @param attributes by name; `undefined` leaves one out.
 * @example element('p', { class: 'note' }, 'One ', element('b', {}, 'and'), ' more')
 */
export function element<Name extends keyof HTMLElementTagNameMap>(
	name: Name,
	attributes: Readonly<Record<string, string | undefined>>,
	...contents: readonly Content[]
): HTMLElementTagNameMap[Name] {
	const made = document.createElement(name);
	for (const [key, value] of Object.entries(attributes)) {
		if (value !== undefined) made.setAttribute(key, value);
	}
	for (const content of contents) if (content) made.append(content);
	return made;
}

/** A paragraph, with what is between backticks as code. */
export function paragraph(text: string): HTMLElement {
	const parts = text.split('`').map((part, index) => (index % 2 === 0 ? part : element('code', {}, part)));
	return element('p', {}, ...parts);
}

/** A badge of the toolbar. */
export function badge(
	style: 'gray' | 'green' | 'yellow' | 'red' | 'blue',
	text: string,
): HTMLElementTagNameMap['astro-dev-toolbar-badge'] {
	return element('astro-dev-toolbar-badge', { 'badge-style': style, size: 'small' }, text);
}

/**
 * A button of the toolbar.
 * @param about what it is about, for screen readers, if its text alone does not say.
 */
export function button(
	text: string,
	about: string | undefined,
	onClick: () => void,
): HTMLElementTagNameMap['astro-dev-toolbar-button'] {
	const more = about !== undefined && element('span', { class: 'spoken' }, ` ${about}`);
	const made = element('astro-dev-toolbar-button', { 'button-style': 'gray', size: 'small' }, text, more);
	made.addEventListener('click', onClick);
	return made;
}
