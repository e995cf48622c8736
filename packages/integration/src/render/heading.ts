import { InvalidPropError } from '../errors.js';
import { Html, html } from './html.js';

/** A heading; `undefined` if the text is empty, because screen readers would stop at an empty heading. */
export function renderHeading(level: number, className: string, text: string): Html | undefined {
	if (text === '') return undefined;
	const tag = new Html(`h${Math.min(6, level)}`);
	return html`<${tag} class="${className}" dir="auto">${text}</${tag}>`;
}

/**
 * Reads the prop `headingLevel`. A template attribute may pass the number as text. @throws TypeError if it is not a
 * number
 */
export function readHeadingLevel(level: number | string): number {
	const number = Number(level);
	if (!Number.isNaN(number)) return Math.min(6, Math.max(1, Math.trunc(number)));
	throw new InvalidPropError(`Expected \`headingLevel\` to be a number from 1 to 6, received '${level}'.`);
}
