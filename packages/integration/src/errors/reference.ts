import type { ErrorCode } from './catalogue.js';

/** The last line of a hint: the code, and the command that explains it. */
export function errorReference(code: ErrorCode): string {
	return `${code}: ${explainCommand(code)}`;
}

/** The command that explains a code. */
export function explainCommand(code: ErrorCode): string {
	return `npx astro-product-reviews explain ${code}`;
}
