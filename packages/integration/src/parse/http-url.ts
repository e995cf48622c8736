import { MAX_TEXT_LENGTH } from './limits.js';

/** An absolute http(s) address without credentials, normalized; `undefined` for anything else. */
export function httpUrl(value: string | undefined): string | undefined {
	const text = value?.trim();
	if (!text || text.length > MAX_TEXT_LENGTH.url || !/^https?:\/\//i.test(text) || !URL.canParse(text)) {
		return undefined;
	}
	const url = new URL(text);
	if (url.username !== '' || url.password !== '') return undefined;
	url.pathname = escapeRest(url.pathname);
	url.search = escapeRest(url.search);
	url.hash = escapeRest(url.hash.slice(1));
	// Normalizing may make it longer.
	return url.href.length > MAX_TEXT_LENGTH.url ? undefined : url.href;
}

/** Browsers accept these characters in an address, but html and JSON-LD checkers do not. */
function escapeRest(part: string): string {
	return part.replace(/[[\\\]^`{|}#]|%(?![\da-f]{2})/gi, encodeURIComponent);
}
