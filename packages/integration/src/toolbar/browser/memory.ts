/** What the app remembers in this tab when the page reloads. */
export const KEYS = {
	/** It opens again. */
	reopen: 'astro-product-reviews:reopen',
	/** Outlines are on. */
	outlines: 'astro-product-reviews:outlines',
} as const;

type Key = (typeof KEYS)[keyof typeof KEYS];

export function isRemembered(key: Key): boolean {
	return sessionStorage.getItem(key) !== null;
}

export function remember(key: Key, isOn: boolean): void {
	if (isOn) sessionStorage.setItem(key, 'on');
	else sessionStorage.removeItem(key);
}
