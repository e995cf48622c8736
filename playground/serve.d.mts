/**
 * Serves a built site like a static host: `/products/` serves `products/index.html`, `/products` redirects there, and
 * unknown paths get the site's `404.html`. Files outside the folder are never read.
 */
export function serve(
	/** A function is called for every request. */
	directory: string | URL | (() => string),
	options?: {
		/** 0, the default, picks a free one. */
		readonly port?: number;
		readonly host?: string;
	},
): Promise<{
	/** Without a trailing slash. */
	readonly url: string;
	close(): Promise<void>;
}>;
