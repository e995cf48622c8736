import type { APIContext, APIRoute } from 'astro';
import {
	type Change,
	createWebhookHandler,
	deployHook,
	githubDispatch,
	type ReadVariable,
	type Rebuild,
	readRequired,
	readVerifiers,
	type Verifier,
	WebhookConfigurationError,
} from 'product-reviews-webhook';
import { ENVIRONMENT, INTEGRATION_NAME } from '../constants.js';
import { ProductReviewsError } from '../errors.js';
import { describeFailure } from '../failures/describe-failure.js';
import type { WebhookSettings } from '../options/webhook.js';
import { ALL_REVIEWS_TAG, reviewTag } from '../runtime/runtime.js';
import { count, nameProducts, plainLine } from '../text/words.js';
import { loadUpdate as loadUpdateBesideServer, type UpdateReviews } from './load-update.js';

/** Context of an endpoint. */
export interface EndpointContext {
	/** First called when an event arrives. */
	readonly readVariable: ReadVariable;
	/**
	 * Makes all instances of the server fetch products again; all of them if `pids` is left out.
	 * @returns whether all of them can learn of it.
	 */
	readonly forget: (pids?: readonly string[]) => Promise<boolean>;
	/** Where the store is, for the option `update`. */
	readonly locateStore?: (() => URL) | undefined;
	/** @default the package beside the server */
	readonly loadUpdate?: () => Promise<UpdateReviews>;
	/** @default the console */
	readonly log?: Pick<Console, 'info' | 'error'>;
	/** @default the global `fetch` */
	readonly fetch?: typeof globalThis.fetch;
}

/**
 * Creates the endpoint of a built site. A genuine event purges the cached pages that show the product, and starts the
 * rebuild or updates its pages. The sender gets 202 when both are done, and 503 if one failed, after which it retries.
 */
export function createEndpoint(settings: WebhookSettings, context: EndpointContext): APIRoute {
	const { readVariable, forget, locateStore, log = console, fetch = globalThis.fetch } = context;
	const { loadUpdate = loadUpdateBesideServer } = context;
	const say = (line: string) => log.info(`[${INTEGRATION_NAME}] ${line}`);
	const warn = (line: string) => log.error(`[${INTEGRATION_NAME}] ${line}`);

	const handler = lateHandler<Pick<APIContext, 'cache'>>(() => {
		const trigger = triggerOf(settings, readVariable, fetch);
		// The trigger has its own time limit.
		const rebuild =
			trigger &&
			(({ pids, all }: Changed) => trigger({ pids, all, signal: new AbortController().signal, log: say }));
		const react = locateStore
			? createUpdater({ load: loadUpdate, locateStore, rebuild, say, warn })
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

type Published = Awaited<ReturnType<UpdateReviews>>;

/** What changed. */
type Changed = Pick<Change, 'pids' | 'all'>;

/** What a publisher works with. */
interface UpdaterContext {
	readonly load: () => Promise<UpdateReviews>;
	readonly locateStore: () => URL;
	/** Starts a rebuild; `undefined` if no option says how. */
	readonly rebuild: ((changed: Changed) => Promise<void>) | undefined;
	readonly say: (line: string) => void;
	readonly warn: (line: string) => void;
}

/** Products named, and pages listed, in one line. */
const MOST_NAMED = 10;

const MOST_LETTERS = 200;

/**
 * Returns a function that writes what changed into the server's own files. One update runs at a time, and one more
 * after it for all that came meanwhile.
 * @throws Error if the service failed for a product of this change, or if anything else went wrong.
 */
export function createUpdater(context: UpdaterContext): (changed: Changed) => Promise<void> {
	const update = inTurns((changed) => updateNow(changed, context));
	return async (changed) => {
		const failed = await update(changed);
		const own = changed.all ? failed : failed.filter((pid) => changed.pids.includes(pid));
		if (own.length > 0) {
			throw new ProductReviewsError(
				'PR_SERVICE_FAILED',
				`The service failed for ${nameProducts(own, MOST_NAMED)}.`,
				'The sender tries again; a build also fetches them.',
			);
		}
	};
}

/** @returns products for which the service failed. */
async function updateNow(
	changed: Changed,
	{ load, locateStore, rebuild: startRebuild, say, warn }: UpdaterContext,
): Promise<readonly string[]> {
	const updateReviews = await load();
	const startedAt = performance.now();
	const { files, rebuild, failed } = await updateReviews({
		pids: changed.all ? 'all' : changed.pids,
		storeFile: locateStore(),
		onWarning: warn,
	});
	const seconds = (performance.now() - startedAt) / 1_000;
	say(`Published: ${count(files.length, 'file')} changed in ${seconds.toFixed(2)} s.`);
	if (rebuild.length > 0) {
		warn(`Left to a rebuild: ${describeRebuild(rebuild)}.`);
		await startRebuild?.(changed);
	}
	return failed.map(({ pid }) => pid);
}

function describeRebuild(pages: Published['rebuild']): string {
	const [{ page, reason } = { page: null, reason: 'unknown' }] = pages;
	if (page === null) return `all pages (${reason})`;
	return `${count(pages.length, 'page')}, such as ${plainLine(page, MOST_LETTERS)} (${reason})`;
}

/** Merges what is asked for while the action runs. Everybody gets the result of the run that had theirs. */
function inTurns<Result>(action: (changed: Changed) => Promise<Result>) {
	let last: Promise<unknown> = Promise.resolve();
	let next: { readonly pids: Set<string>; all: boolean; readonly result: Promise<Result> } | undefined;
	return ({ pids, all }: Changed): Promise<Result> => {
		if (!next) {
			const batch = { pids: new Set<string>(), all: false };
			const result = last.then(() => {
				next = undefined;
				return action({ pids: [...batch.pids], all: batch.all });
			});
			next = Object.assign(batch, { result });
			last = result.catch(() => {});
		}
		for (const pid of pids) next.pids.add(pid);
		next.all ||= all;
		return next.result;
	};
}

/** A change, as a log line. */
export function describeChange({ pids, all }: Pick<Change, 'pids' | 'all'>): string {
	return all ? 'Any reviews may have changed.' : `Reviews changed: ${nameProducts(pids, MOST_NAMED)}.`;
}

/**
 * Tags of the cached pages that a change makes outdated. Tags are sent in a header, separated by commas. A product id that
 * does not fit into one is percent-encoded; one that only changes when encoded is purged in both forms.
 */
export function cacheTags({ pids, all }: Pick<Change, 'pids' | 'all'>): string[] {
	if (all) return [ALL_REVIEWS_TAG];
	const plain = pids.filter((pid) => FITS.test(pid)).map((pid) => `${ALL_REVIEWS_TAG}:${pid}`);
	return [...new Set([...plain, ...pids.map(reviewTag)])];
}

/** Visible ASCII without the comma. */
const FITS = /^[!-+\--~]+$/;

/** How long a trigger may take to answer, in milliseconds. The sender of the event waits in the meantime. */
const TIMEOUT = 10_000;

/**
 * How events prove that they come from the review service.
 * @throws WebhookConfigurationError that names the missing variable, or says what is wrong with its value.
 */
export function verifiersOf({ keyHeader }: WebhookSettings, readVariable: ReadVariable): Verifier[] {
	const { webhookSecret: secretEnv, webhookKey: keyEnv } = ENVIRONMENT;
	return readVerifiers({ secretEnv, keyHeader, keyEnv }, readVariable);
}

/**
 * Starts a rebuild of the site; `undefined` if no option says how.
 * @throws WebhookConfigurationError that names the missing variable, or says what is wrong with its value.
 */
function triggerOf(
	{ deployHookEnv, github, githubTokenEnv }: WebhookSettings,
	readVariable: ReadVariable,
	fetch: typeof globalThis.fetch,
): Rebuild | undefined {
	if (github !== undefined) {
		const token = readRequired(githubTokenEnv, readVariable);
		return githubDispatch({ repository: github, token, timeout: TIMEOUT, fetch });
	}
	if (deployHookEnv === undefined) return undefined;
	return deployHook(readRequired(deployHookEnv, readVariable), { timeout: TIMEOUT, fetch });
}

/** Answers a request. @param context whatever else belongs to it. */
export type Handler<Context> = (request: Request, context?: Context) => Promise<Response>;

/**
 * A handler that is created on the first request, since some platforms have no secrets before. Until it can be created,
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
