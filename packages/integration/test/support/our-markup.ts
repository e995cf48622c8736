import type { FoundElement } from './unit-elements.js';

/** Every element that our templates write, with every attribute that it may have. */
const OURS: Readonly<Record<string, readonly string[]>> = {
	section: ['class', 'data-display'],
	details: ['class', 'data-display'],
	summary: ['class'],
	div: ['class', 'dir', 'data-id', 'data-block-handle', 'data-display', 'aria-hidden'],
	a: ['class', 'href', 'tabindex', 'dir'],
	h2: ['class', 'dir'],
	h3: ['class', 'dir'],
	p: ['class', 'dir'],
	ol: ['class', 'role'],
	li: [],
	article: ['class'],
	span: ['class', 'dir', 'role', 'aria-hidden', 'aria-label', 'data-fill'],
	time: ['class', 'datetime'],
};

/** Whether our templates may have written an element: no other attribute, and no address but of http and https. */
export function isOurs({ tag, attributes: { href = 'https://', ...others } }: FoundElement): boolean {
	const known = Object.hasOwn(OURS, tag) ? OURS[tag] : undefined;
	return (
		known !== undefined &&
		/^https?:\/\//.test(href) &&
		Object.keys(others).every((name) => known.includes(name))
	);
}
