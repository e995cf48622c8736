import { MAX_TEXT_LENGTH } from './limits.js';

/** An absolute http(s) address without credentials, in its normal form; anything else is `undefined`. */
export function httpUrl(value: string | undefined): string | undefined {
	const text = value?.trim();
	if (!text || text.length > MAX_TEXT_LENGTH.url || !/^https?:\/\//i.test(text) || !URL.canParse(text)) {
		return undefined;
	}
	const url = new URL(text);
	return url.username === '' && url.password === '' ? url.href : undefined;
}
