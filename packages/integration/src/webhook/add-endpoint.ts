import type { AstroConfig, AstroIntegrationLogger, HookParameters } from 'astro';
import { ENDPOINT_ID } from '../constants.js';
import type { WebhookSettings } from '../options/webhook.js';

type Setup = Pick<HookParameters<'astro:config:setup'>, 'command' | 'injectRoute'> & {
	readonly config: Pick<AstroConfig, 'adapter' | 'cache'>;
	readonly logger: Pick<AstroIntegrationLogger, 'info' | 'warn'>;
};

/** Adds the endpoint to a build whose site has an adapter. `astro dev` answers by itself. */
export function addEndpoint(webhook: WebhookSettings, setup: Setup): void {
	const { command, config, injectRoute, logger } = setup;
	if (command !== 'build') return;
	if (!config.adapter) {
		logger.info(
			`Events at ${webhook.path} are received in "astro dev" only: the site has no adapter. To have it rebuilt when reviews change, run "npx product-reviews-webhook" where it is built, or add an adapter.`,
		);
		return;
	}
	if (!config.cache?.provider && webhook.deployHookEnv === undefined && webhook.github === undefined) {
		logger.warn(
			`Events at ${webhook.path} will change nothing: Astro's "cache" is not set up, so that there is nothing to purge, and the option "webhook" of productReviews() names nothing to start. Set "deployHookEnv" or "github".`,
		);
	}
	injectRoute({ pattern: webhook.path, entrypoint: ENDPOINT_ID, prerender: false });
}
