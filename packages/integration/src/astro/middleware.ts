import type { MiddlewareHandler } from 'astro';

/**
 * Waits until a page for the route cache is complete. Astro responds while the page is still being rendered, and what
 * components tell the route cache after that would be lost: which products the page shows, and that reviews are missing.
 */
export const onRequest: MiddlewareHandler = async ({ cache, isPrerendered }, next) => {
	const response = await next();
	const isKept = !isPrerendered && cache?.enabled && cache.options.maxAge !== undefined;
	if (isKept && response.headers.get('content-type')?.startsWith('text/html')) {
		// Not a new response: Astro associates cookies with this one.
		await response.clone().arrayBuffer();
	}
	return response;
};
