import type { APIContext, APIRoute } from 'astro';
import { createWebhookHandler, type ReadVariable } from 'product-reviews-webhook';
import { INTEGRATION_NAME } from '../constants.js';
import { ProductReviewsError } from '../errors.js';
import { describeFailure } from '../failures/describe-failure.js';
import type { WebhookSettings } from '../options/webhook.js';
import { cacheTags, describeChange } from './change.js';
import { type Changed, createPublisher } from './create-publisher.js';
import { lateHandler } from './late-handler.js';
import { loadPublish as loadPublishBesideServer, type PublishReviews } from './load-publish.js';
import { triggerOf, verifiersOf } from './read-settings.js';

/** Context of an endpoint. */
export interface EndpointContext {
	/** First called when an event arrives. */
	readonly readVariable: ReadVariable;
	/**
	 * Makes all instances of the server fetch products again; all of them if `pids` is left out.
	 * @returns whether all of them can learn of it.
	 */
	readonly forget: (pids?: readonly string[]) => Promise<boolean>;
	/** Where the store is, for the option `publish`. */
	readonly locateStore?: (() => URL) | undefined;
	/** @default the package beside the server */
	readonly loadPublish?: () => Promise<PublishReviews>;
	/** @default the console */
	readonly log?: Pick<Console, 'info' | 'error'>;
	/** @default the global `fetch` */
	readonly fetch?: typeof globalThis.fetch;
}

/**
 * Creates the endpoint of a built site. A genuine event purges the cached pages that show the product, and starts the
 * rebuild or publishes. The sender gets 202 when both are done, and 503 if one failed, after which it retries.
 */
export function createEndpoint(settings: WebhookSettings, context: EndpointContext): APIRoute {
	const { readVariable, forget, locateStore, log = console, fetch = globalThis.fetch } = context;
	const { loadPublish = loadPublishBesideServer } = context;
	const say = (line: string) => log.info(`[${INTEGRATION_NAME}] ${line}`);
	const warn = (line: string) => log.error(`[${INTEGRATION_NAME}] ${line}`);

	const handler = lateHandler<Pick<APIContext, 'cache'>>(() => {
		const trigger = triggerOf(settings, readVariable, fetch);
		// The trigger has its own time limit.
		const rebuild =
			trigger &&
			(({ pids, all }: Changed) => trigger({ pids, all, signal: new AbortController().signal, log: say }));
		const react = locateStore
			? createPublisher({ load: loadPublish, locateStore, rebuild, say, warn })
			: rebuild;
		return createWebhookHandler({
			verify: verifiersOf(settings, readVariable),
			async onChange(change, site) {
				const { pids, all } = change;
				say(describeChange(change));
				// Before the purge: a purged page is rendered from what this server remembers.
				const isShared = await forget(all ? undefined : pids);
				if (site?.cache.enabled) await site.cache.invalidate({ tags: cacheTags(change) });
				await react?.(change);
				// This instance knows, and tells the others when the storage works again, unless it is stopped before.
				if (!isShared) throw notShared();
			},
			onError: (error) => warn(`An event was rejected, and its sender retries it: ${describeFailure(error)}`),
		});
	}, warn);

	return (site) => handler(site.request, site);
}

function notShared(): ProductReviewsError {
	return new ProductReviewsError(
		'PR_STORAGE_FAILED',
		'The shared storage failed, so other instances of the server may not learn of the event.',
		'The sender tries again.',
	);
}
