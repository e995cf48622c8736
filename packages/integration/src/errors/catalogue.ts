import { COMMAND_ERRORS } from './command-errors.js';
import { SERVICE_ERRORS } from './service-errors.js';
import { SETUP_ERRORS } from './setup-errors.js';

/** What the documentation says about one code. Texts are Markdown, in full sentences. */
export interface ErrorEntry {
	/** A few words, without a full stop. */
	readonly title: string;
	/** What happened, and why. */
	readonly happened: string;
	/** What to do. */
	readonly remedy: string;
}

/**
 * Every code of an error or a warning of `astro-product-reviews`, `product-reviews-client` and `product-reviews-webhook`, in
 * the order of the documentation. A code is permanent: people search for it.
 */
export const ERROR_CATALOGUE = {
	...SETUP_ERRORS,
	...SERVICE_ERRORS,
	...COMMAND_ERRORS,
} as const satisfies Readonly<Record<`PR_${string}`, ErrorEntry>>;

/** The code of a kind of problem. */
export type ErrorCode = keyof typeof ERROR_CATALOGUE;
