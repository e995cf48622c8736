import type { ErrorCode } from './catalogue.js';

/** The documentation site. */
const DOCS_URL = 'https://astro-product-reviews.github.io';

/** Address of the page that explains a code. */
export function errorPage(code: ErrorCode): string {
	return `${DOCS_URL}/errors/#${code.toLowerCase()}`;
}

/** The last line of a hint: the code, and where it is explained. */
export function errorReference(code: ErrorCode): string {
	return `${code}: ${errorPage(code)}`;
}
