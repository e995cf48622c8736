import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ReviewSite, reviewSites } from 'astro-product-reviews/internal/astro';
import { ProductReviewsConfigurationError } from 'astro-product-reviews/internal/errors';

/** Vite's mode of a build. */
export const MODE = 'production';

/**
 * Loads the Astro configuration of a project as a build does, with the hooks of all integrations that complete it.
 * @param root of the project, absolute.
 * @throws ProductReviewsConfigurationError if the configuration lacks the integration, and what the configuration throws.
 */
export async function loadSite(root: string): Promise<ReviewSite> {
	process.env['NODE_ENV'] ??= MODE;
	// Only here, because most commands load no Astro.
	const { getViteConfig } = await import('astro/config');
	const inline = { root, mode: MODE, logLevel: 'silent' } as const;
	await getViteConfig({ root }, inline)({ mode: MODE, command: 'build' });
	const sites = reviewSites();
	const site = sites.get(pathToFileURL(`${resolve(root)}/`).href) ?? [...sites.values()][0];
	if (site) return site;
	throw new ProductReviewsConfigurationError(
		'PR_INTEGRATION_MISSING',
		'productReviews() is not in the Astro configuration.',
		'Run "npx astro add astro-product-reviews".',
	);
}
