import type { Rebuild, RebuildRequest } from './collector.js';
import { WebhookConfigurationError, WebhookError } from './errors.js';
import { messages } from './messages.js';

/** What a trigger passes to the build: `{ pids }`, as read by the integration, or `{ all: true }` if there are too many. */
type TriggerPayload = { readonly pids: readonly string[] } | { readonly all: true };

/** @param maxBytes limit for the ids as JSON. */
export function toPayload(
	{ pids, all }: Pick<RebuildRequest, 'pids' | 'all'>,
	maxBytes: number,
): TriggerPayload {
	if (all) return { all: true };
	const payload = { pids };
	return new TextEncoder().encode(JSON.stringify(payload)).length > maxBytes ? { all: true } : payload;
}

/** Options of both triggers. */
interface TriggerOptions {
	/** Time limit for the response, in milliseconds. @default 30_000 */
	readonly timeout?: number | undefined;
	/** @default the global `fetch` */
	readonly fetch?: typeof globalThis.fetch | undefined;
}

/**
 * Sends a request that starts a rebuild elsewhere.
 * @param body sent as JSON; `undefined` for an empty one.
 * @throws WebhookError for anything but a successful response. Its message contains only the host of the URL.
 */
async function post(
	url: string,
	headers: Readonly<Record<string, string>>,
	body: unknown,
	{ timeout = 30_000, fetch = globalThis.fetch }: TriggerOptions,
	signal: AbortSignal,
): Promise<void> {
	let response: Response;
	try {
		response = await fetch(url, {
			method: 'POST',
			// The URL and the headers are secret, so they must not follow a redirect.
			redirect: 'manual',
			headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
			...(body !== undefined && { body: JSON.stringify(body) }),
			signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
		});
	} catch (error) {
		if (signal.aborted) throw signal.reason;
		const isLate = (error as Error)?.name === 'TimeoutError';
		// Only the code: messages contain URLs.
		const { code } = ((error as Error)?.cause ?? {}) as { code?: unknown };
		const shown = typeof code === 'string' && /^[A-Z][A-Z_\d]{0,40}$/.test(code) ? code : undefined;
		throw new WebhookError(
			'PR_REBUILD_FAILED',
			isLate ? messages.hookLate(url, timeout) : messages.hookUnreachable(url, shown),
		);
	}
	await response.body?.cancel();
	if (!response.ok) throw new WebhookError('PR_REBUILD_FAILED', messages.hookAnswered(url, response.status));
}

/** Options of {@link deployHook}. */
export interface DeployHookOptions extends TriggerOptions {
	/**
	 * Whether to send the ids of the changed products in the body. Netlify passes the body to the build, where the
	 * integration reads it.
	 * @default true if the address is one of Netlify's
	 */
	readonly sendsIds?: boolean | undefined;
}

/** The build gets the body encoded in one environment variable, which Linux limits to 128 KiB. */
const MAX_HOOK_BYTES = 32_768;

/**
 * Rebuilds the site through a deploy hook: a URL of Netlify, Vercel, Cloudflare, Render or another host that starts a
 * build when it receives a POST.
 *
 * @param address URL of the hook. It is a secret: only its host is logged.
 * @throws WebhookConfigurationError for anything but an https URL (http is allowed for this machine).
 * @example new Collector({ log, rebuild: deployHook(process.env.DEPLOY_HOOK_URL) })
 */
export function deployHook(address: string | undefined, options: DeployHookOptions = {}): Rebuild {
	const url = URL.parse(String(address ?? ''));
	if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))) {
		throw new WebhookConfigurationError(messages.deployHook);
	}
	const sendsIds = options.sendsIds ?? /(^|\.)netlify\.com$/.test(url.hostname);
	return async ({ pids, all, signal, log }) => {
		const body = sendsIds ? toPayload({ pids, all }, MAX_HOOK_BYTES) : undefined;
		await post(url.href, {}, body, options, signal);
		log(messages.hookCalled(url.href));
	};
}

/** Whether a host name of a URL is one of this machine. */
export function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Options of {@link githubDispatch}. */
export interface GithubDispatchOptions extends TriggerOptions {
	/** `owner/name`. */
	readonly repository: string;
	/** A token with write access to the repository's contents. It is never logged. */
	readonly token: string | undefined;
	/** What the workflow listens for, at most 100 characters. @default 'reviews-changed' */
	readonly eventType?: string | undefined;
	/** URL of the API, for GitHub Enterprise. @default 'https://api.github.com' */
	readonly apiUrl?: string | undefined;
}

/** `client_payload` must be smaller than 64 KiB. */
const MAX_DISPATCH_BYTES = 60_000;

/**
 * Starts the GitHub workflows that listen for a `repository_dispatch`. The ids of the products are in its
 * `client_payload`, where the integration reads them; if there are too many, it says "all".
 *
 * @throws WebhookConfigurationError for an unusable repository or token.
 * @example githubDispatch({ repository: 'shop/storefront', token: process.env.GITHUB_DISPATCH_TOKEN })
 * @see https://docs.github.com/en/rest/repos/repos#create-a-repository-dispatch-event
 */
export function githubDispatch(options: GithubDispatchOptions): Rebuild {
	const { repository, token, eventType = 'reviews-changed', apiUrl = 'https://api.github.com' } = options;
	if (!/^[\w.-]+\/[\w.-]+$/.test(repository ?? '')) throw new WebhookConfigurationError(messages.repository);
	if (!token?.trim()) throw new WebhookConfigurationError(messages.noToken);
	const url = `${apiUrl.replace(/\/$/, '')}/repos/${repository}/dispatches`;
	const headers = {
		accept: 'application/vnd.github+json',
		authorization: `Bearer ${token.trim()}`,
		'user-agent': 'product-reviews-webhook',
		'x-github-api-version': '2022-11-28',
	};
	return async ({ pids, all, signal, log }) => {
		const body = { event_type: eventType, client_payload: toPayload({ pids, all }, MAX_DISPATCH_BYTES) };
		await post(url, headers, body, options, signal);
		log(messages.workflowStarted(eventType, repository));
	};
}
