import type { APIContext, APIRoute } from 'astro';
import {
	createWebhookHandler,
	deployHook,
	githubDispatch,
	type ReadVariable,
	readReception,
	readRequired,
	WebhookConfigurationError,
	type WebhookHandlerOptions,
} from 'product-reviews-webhook';
import { describeFailure } from '../base/failures.js';
import { nameProducts } from '../base/words.js';
import { ENVIRONMENT, INTEGRATION_NAME } from '../constants.js';
import { ProductReviewsError } from '../errors.js';
import type { WebhookSettings } from '../options/webhook.js';
import { ALL_REVIEWS_TAG, reviewTag } from '../pages/page-source.js';
import { type Changed, createUpdater, loadUpdate, MAX_NAMED, type ServerBuild } from './updater.js';

interface EndpointContext {
	/** First called when an event arrives. */
	readonly readVariable: ReadVariable;
	/**
	 * Makes all instances of the server fetch products again; all of them if `pids` is left out.
	 * @returns `true` if all of them can learn of it.
	 */
	readonly forget: (pids?: readonly string[]) => Promise<boolean>;
	readonly locateBuild?: (() => ServerBuild) | undefined;
	/** @default the console */
	readonly log?: Pick<Console, 'info' | 'error'>;
	/** @default the global `fetch` */
	readonly fetch?: typeof globalThis.fetch;
}

/**
 * Creates the endpoint of a built site. A genuine event purges the cached pages that show the product, and starts the
 * rebuild or updates its own pages. The sender gets 202 when both are done, and 503 if one failed, after which it retries.
 */
export function createEndpoint(settings: WebhookSettings, context: EndpointContext): APIRoute {
	const { readVariable, forget, locateBuild, log = console, fetch = globalThis.fetch } = context;
	const say = (line: string) => log.info(`[${INTEGRATION_NAME}] ${line}`);
	const warn = (line: string) => log.error(`[${INTEGRATION_NAME}] ${line}`);

	const handler = lateHandler<Pick<APIContext, 'cache'>>(() => {
		const trigger = triggerOf(settings, readVariable, fetch);
		// The trigger has its own time limit.
		const { signal } = new AbortController();
		const rebuild = trigger && (({ pids, all }: Changed) => trigger({ pids, all, signal, log: say }));
		const react = locateBuild
			? createUpdater({ load: loadUpdate, locateBuild, rebuild, say, warn })
			: rebuild;
		return createWebhookHandler({
			...receptionOf(settings, readVariable),
			async onChange(change, site) {
				say(describeChange(change));
				// Before the purge: a purged page is rendered from what this server remembers.
				const isShared = await forget(change.all ? undefined : change.pids);
				if (site?.cache.enabled) await site.cache.invalidate({ tags: cacheTags(change) });
				await react?.(change);
				if (isShared) return;
				// This instance knows, and tells the others when the storage works again, unless it is stopped before.
				throw new ProductReviewsError(
					'PR_STORAGE_FAILED',
					'The shared storage failed, so other instances of the server may not learn of the event.',
					'The sender tries again.',
				);
			},
			onError: (error) => warn(`An event was rejected, and its sender retries it: ${describeFailure(error)}`),
		});
	}, warn);

	return (site) => handler(site.request, site);
}

export function describeChange({ pids, all }: Changed): string {
	return all ? 'Any reviews may have changed.' : `Reviews changed: ${nameProducts(pids, MAX_NAMED)}.`;
}

/** Visible ASCII without the comma. */
const FITS_INTO_TAG = /^[!-+\--~]+$/;

/**
 * Returns the tags of the cached pages that a change makes outdated. Tags are sent in a header, separated by commas. A
 * product ID that does not fit into one is percent-encoded; one that only changes when encoded is purged in both forms.
 */
export function cacheTags({ pids, all }: Changed): string[] {
	if (all) return [ALL_REVIEWS_TAG];
	const plain = pids.filter((pid) => FITS_INTO_TAG.test(pid)).map((pid) => `${ALL_REVIEWS_TAG}:${pid}`);
	return [...new Set([...plain, ...pids.map(reviewTag)])];
}

/**
 * Returns the options of the handler that say how events are verified and read.
 * @throws WebhookConfigurationError that names the missing variable, or says what is wrong with its value.
 */
export function receptionOf(
	{ from, keyHeader, keyQuery, ids, ignoreTypes }: WebhookSettings,
	readVariable: ReadVariable,
): Omit<WebhookHandlerOptions, 'onChange'> {
	const { webhookSecret: secretEnv, webhookKey: keyEnv } = ENVIRONMENT;
	const reception = readReception({ from, secretEnv, keyHeader, keyQuery, keyEnv }, readVariable);
	return { ...reception, ids, ignoreTypes };
}

/**
 * Starts a rebuild of the site; `undefined` if no option says how.
 * @throws WebhookConfigurationError that names the missing variable, or says what is wrong with its value.
 */
function triggerOf(
	{ deployHookEnv, github, githubTokenEnv }: WebhookSettings,
	readVariable: ReadVariable,
	fetch: typeof globalThis.fetch,
) {
	// The sender of the event waits in the meantime.
	const limits = { timeout: 10_000, fetch };
	if (github !== undefined) {
		const token = readRequired(githubTokenEnv, readVariable);
		return githubDispatch({ repository: github, token, ...limits });
	}
	return deployHookEnv === undefined
		? undefined
		: deployHook(readRequired(deployHookEnv, readVariable), limits);
}

type Handler<Context> = (request: Request, context?: Context) => Promise<Response>;

/**
 * Returns a handler that is created on the first request, since some platforms have no secrets before. Until it can be created,
 * requests are answered with 503, so the sender retries.
 *
 * @param make throws WebhookConfigurationError if something is not set up.
 * @param warn called with that error's message.
 */
export function lateHandler<Context>(
	make: () => Handler<Context>,
	warn: (message: string) => void,
): Handler<Context> {
	let handler: Handler<Context> | undefined;
	return async (request, context) => {
		try {
			handler ??= make();
		} catch (error) {
			if (!(error instanceof WebhookConfigurationError)) throw error;
			warn(`The webhook is not set up, so events are rejected: ${error.message} [${error.code}]`);
			return Response.json(
				{ error: 'The webhook is not set up yet. Send the event again later.' },
				{ status: 503, headers: { 'cache-control': 'no-store', 'retry-after': '30' } },
			);
		}
		return handler(request, context);
	};
}
