import { Html, html } from './html.js';

/** A heading; none without a text: it would be a stop for nothing on the way of a screen reader. */
export function renderHeading(level: number, className: string, text: string): Html | undefined {
	if (text === '') return undefined;
	const tag = new Html(`h${Math.min(6, level)}`);
	return html`<${tag} class="${className}" dir="auto">${text}</${tag}>`;
}

/** The prop `headingLevel`; an attribute of a template may give the number as text. @throws TypeError for no number */
export function readHeadingLevel(level: number | string): number {
	const number = Number(level);
	if (!Number.isNaN(number)) return Math.min(6, Math.max(1, Math.trunc(number)));
	throw new TypeError(`Expected \`headingLevel\` to be a number from 1 to 6, received '${level}'.`);
}
