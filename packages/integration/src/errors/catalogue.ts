import catalogue from './catalogue.json' with { type: 'json' };

/** The code of a kind of problem. Not its keys: declarations of a package do not import JSON. A test compares both. */
export type ErrorCode = `PR_${string}`;

/**
 * Explains every code of an error or a warning of `astro-product-reviews`, `product-reviews-client` and
 * `product-reviews-webhook`, in the order of the documentation and in Markdown: problems of the project, those with the
 * service, and those of the store, the commands and the receiver. A code is permanent: people search for it.
 */
export const ERROR_CATALOGUE: Readonly<
	Record<ErrorCode, { readonly title: string; readonly happened: string; readonly remedy: string }>
> = catalogue;
