import type { APIContext, APIRoute } from 'astro';
import { createWebhookHandler, type ReadVariable } from 'product-reviews-webhook';
import { INTEGRATION_NAME } from '../constants.js';
import { describeFailure } from '../failures/describe-failure.js';
import type { WebhookSettings } from '../options/webhook.js';
import { cacheTags, describeChange } from './change.js';
import { lateHandler } from './late-handler.js';
import { triggerOf, verifiersOf } from './read-settings.js';

/** What an endpoint works with. */
export interface EndpointContext {
	/** Is asked when the first event comes. */
	readonly readVariable: ReadVariable;
	/** Has this server ask the service for products again; all of them where `pids` is left out. */
	readonly forget: (pids?: readonly string[]) => void;
	/** @default the console */
	readonly log?: Pick<Console, 'info' | 'error'>;
	/** @default the global `fetch` */
	readonly fetch?: typeof globalThis.fetch;
}

/**
 * Makes the endpoint of a built site: a genuine event purges the cached pages that show the product, and starts the
 * rebuild. The sender hears 202 when both are done, and 503 when one failed: it tries again then.
 */
export function createEndpoint(settings: WebhookSettings, context: EndpointContext): APIRoute {
	const { readVariable, forget, log = console, fetch = globalThis.fetch } = context;
	const say = (line: string) => log.info(`[${INTEGRATION_NAME}] ${line}`);
	const warn = (line: string) => log.error(`[${INTEGRATION_NAME}] ${line}`);

	const handler = lateHandler<Pick<APIContext, 'cache'>>(() => {
		const trigger = triggerOf(settings, readVariable, fetch);
		return createWebhookHandler({
			verify: verifiersOf(settings, readVariable),
			async onChange(change, site) {
				const { pids, all } = change;
				say(describeChange(change));
				// First what this server remembers: a purged page is rendered from it.
				forget(all ? undefined : pids);
				if (site?.cache.enabled) await site.cache.invalidate({ tags: cacheTags(change) });
				// It has a time limit of its own.
				await trigger?.({ pids, all, signal: new AbortController().signal, log: say });
			},
			onError: (error) =>
				warn(`An event was not taken, and its sender tries again: ${describeFailure(error)}`),
		});
	}, warn);

	return (site) => handler(site.request, site);
}
