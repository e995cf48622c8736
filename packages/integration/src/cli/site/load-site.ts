import { pathToFileURL } from 'node:url';
import { type ReviewSite, reviewSites } from '../../astro/project.js';
import { ProductReviewsConfigurationError } from '../../errors.js';

/** Where the configuration of a project is, and how it is read. */
export interface SitePlace {
	/** Folder of the project, absolute. */
	readonly root: string;
	/** The file with the configuration, relative to it. @default the one that Astro finds */
	readonly config?: string | undefined;
	/** Vite's mode, which decides which `.env` files are read. @default 'production', as in builds */
	readonly mode?: string | undefined;
}

/** Vite's mode of a build. */
export const MODE = 'production';

/**
 * Loads the Astro configuration of a project as a build does, with the hooks of all integrations that complete it.
 * @throws ProductReviewsConfigurationError if the configuration lacks the integration, and what the configuration throws.
 */
export async function loadSite({ root, config, mode = MODE }: SitePlace): Promise<ReviewSite> {
	process.env['NODE_ENV'] ??= MODE;
	// Only here, because most commands load no Astro.
	const { getViteConfig } = await import('astro/config');
	const inline = { root, mode, logLevel: 'silent', ...(config && { configFile: config }) } as const;
	await getViteConfig({ root }, inline)({ mode, command: 'build' });
	const sites = reviewSites();
	const site = sites.get(pathToFileURL(`${root}/`).href) ?? [...sites.values()][0];
	if (site) {
		// Only a server of Vite passes its mode on.
		site.project.setMode(mode);
		return site;
	}
	throw new ProductReviewsConfigurationError(
		'PR_INTEGRATION_MISSING',
		'productReviews() is not in the Astro configuration.',
		'Run "npx astro add astro-product-reviews".',
	);
}
