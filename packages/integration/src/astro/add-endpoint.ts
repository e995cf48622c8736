import type { AstroConfig, AstroIntegrationLogger, HookParameters } from 'astro';
import { ENDPOINT_ID } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import type { WebhookSettings } from '../options/webhook.js';

type Setup = Pick<HookParameters<'astro:config:setup'>, 'command' | 'injectRoute'> & {
	readonly config: Pick<AstroConfig, 'adapter' | 'cache'>;
	readonly logger: Pick<AstroIntegrationLogger, 'info' | 'warn'>;
};

/** Adapters whose servers have no files that they could change. */
const WITHOUT_FILES = new Set(['@astrojs/cloudflare', '@astrojs/netlify', '@astrojs/vercel']);

/**
 * Adds the endpoint to a build of a site with an adapter. `astro dev` receives events without it.
 * @param hasStorage whether instances of the server tell each other of events.
 * @throws ProductReviewsConfigurationError if the server cannot update its pages.
 */
export function addEndpoint(webhook: WebhookSettings, hasStorage: boolean, setup: Setup): void {
	const { command, config, injectRoute, logger } = setup;
	if (command !== 'build') return;
	if (!config.adapter) {
		logger.info(
			`The site has no adapter, so events at ${webhook.path} are received in "astro dev" only. To rebuild it when reviews change, run "npx product-reviews-webhook" where it is built, or add an adapter.`,
		);
		return;
	}
	if (webhook.update && WITHOUT_FILES.has(config.adapter.name)) {
		throw new ProductReviewsConfigurationError(
			'PR_WEBHOOK_ADAPTER',
			`The option "webhook.update" does not work with ${config.adapter.name}: its functions cannot change the site's files.`,
			'Set "deployHookEnv" or "github" instead, or run "npx product-reviews-webhook" where the site is built.',
		);
	}
	const doesSomething =
		hasStorage || webhook.update || webhook.deployHookEnv !== undefined || webhook.github !== undefined;
	if (!config.cache?.provider && !doesSomething) {
		logger.warn(
			`Events at ${webhook.path} will have no effect: Astro's "cache" is not set up, so there is nothing to purge, and the option "webhook" of productReviews() says nothing about a rebuild. Set "deployHookEnv", "github" or "update" in it.`,
		);
	}
	injectRoute({ pattern: webhook.path, entrypoint: ENDPOINT_ID, prerender: false });
}
