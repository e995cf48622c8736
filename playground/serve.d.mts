/**
 * Serves a built site as a static host does: `/products/` is `products/index.html`, `/products` goes there, and what is
 * not there answers the site's `404.html`. Nothing outside the folder is ever read.
 */
export function serve(
	/** A function is asked at every request. */
	directory: string | URL | (() => string),
	options?: {
		/** 0, the default, takes any free one. */
		readonly port?: number;
		readonly host?: string;
	},
): Promise<{
	/** Without a slash at its end. */
	readonly url: string;
	close(): Promise<void>;
}>;
