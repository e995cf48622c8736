import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ViteSettings } from '../astro/bundle-provider.js';
import { type ReviewSite, reviewSites } from '../astro/project.js';
import { within } from '../base/async.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import { nameFolder, projectAbove } from '../project/manifest.js';
import { namePath, type Options, onStandardError, rootOf } from './terminal.js';

/** Vite's mode of a build. */
export const MODE = 'production';

/** In milliseconds. */
const CONFIG_LIMIT = 120_000;

/**
 * Loads the Astro configuration of a project as a build does, with the hooks of all integrations that complete it.
 * @throws ProductReviewsConfigurationError if the configuration lacks the integration, or takes 2 minutes, and what the
 * configuration throws.
 */
export async function loadSite(options: Options): Promise<ReviewSite> {
	const root = rootOf(options);
	const { config, mode = MODE } = options;
	if (config && !existsSync(join(root, config))) {
		throw new ProductReviewsConfigurationError(
			'PR_CONFIG_NOT_LOADED',
			`There is no Astro configuration at ${namePath(join(root, config))}.`,
			'Give --config the path of the file, relative to the project. Leave it out for "astro.config.mjs" and the like.',
		);
	}
	const above = config ? undefined : projectAbove(root);
	if (above !== undefined) {
		throw new ProductReviewsConfigurationError(
			'PR_CONFIG_NOT_LOADED',
			`There is no Astro project in ${nameFolder(root)}.`,
			`Run the command in ${nameFolder(above)} above, where there is one, or name it with --root.`,
		);
	}
	process.env['NODE_ENV'] ??= MODE;
	// Only here, because most commands load no Astro.
	const { getViteConfig } = await import('astro/config');
	const inline = { root, mode, logLevel: 'silent', ...(config && { configFile: config }) } as const;
	const vite = await onStandardError(() => {
		const loading = getViteConfig({ root }, inline)({ mode, command: 'build' }) as Promise<ViteSettings>;
		return within(loading, CONFIG_LIMIT, neverLoaded);
	});
	const sites = reviewSites();
	const site = sites.get(pathToFileURL(`${root}/`).href) ?? [...sites.values()][0];
	if (site) {
		// Only a server of Vite passes its mode on.
		site.project.setMode(mode);
		await onStandardError(() => site.project.openProvider(vite));
		return site;
	}
	throw new ProductReviewsConfigurationError(
		'PR_INTEGRATION_MISSING',
		'productReviews() is not in the Astro configuration.',
		'Import it from "astro-product-reviews", and add it to "integrations" there.',
	);
}

function neverLoaded(): never {
	throw new ProductReviewsConfigurationError(
		'PR_CONFIG_NOT_LOADED',
		`The Astro configuration has not finished loading after ${CONFIG_LIMIT / 1_000} seconds.`,
		'Look for something in it, or in an integration, that waits for a response without a time limit. "npx astro build" waits for the same.',
	);
}
