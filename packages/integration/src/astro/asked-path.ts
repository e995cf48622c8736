import type { IncomingMessage } from 'node:http';

/** The path of a dev server's request, with the site's base, which Astro has already removed from `url`. */
export function askedPath({
	originalUrl,
	url = '',
}: Pick<IncomingMessage, 'url'> & { readonly originalUrl?: string | undefined }): string {
	return (originalUrl ?? url).split('?')[0] ?? '';
}
