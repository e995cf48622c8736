import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type ReviewSite, reviewSites } from '../../astro/review-sites.js';
import type { Trouble } from '../facts.js';
import { troubleOf } from './trouble.js';

/** The site of a project, or why it could not be loaded. */
export type LoadedSite = { readonly site: ReviewSite } | { readonly trouble: Trouble };

/** Vite's mode of a build. */
export const MODE = 'production';

/**
 * Loads the Astro configuration of a project as a build does, with the hooks of all integrations that complete it.
 * @param root of the project, absolute.
 */
export async function loadSite(root: string): Promise<LoadedSite> {
	process.env['NODE_ENV'] ??= MODE;
	try {
		// Only here, because no other command loads Astro.
		const { getViteConfig } = await import('astro/config');
		const inline = { root, mode: MODE, logLevel: 'silent' } as const;
		await getViteConfig({ root }, inline)({ mode: MODE, command: 'build' });
	} catch (error) {
		return { trouble: troubleOf(error, 'PR_CONFIG_NOT_LOADED') };
	}
	const sites = reviewSites();
	const site = sites.get(pathToFileURL(`${resolve(root)}/`).href) ?? [...sites.values()][0];
	if (site) return { site };
	return {
		trouble: {
			code: 'PR_INTEGRATION_MISSING',
			reason: 'productReviews() is not in the Astro configuration.',
			next: 'Run "npx astro add astro-product-reviews".',
		},
	};
}
