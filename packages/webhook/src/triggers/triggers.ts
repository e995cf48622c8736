import type { Rebuild, RebuildRequest } from '../collect/rebuild.js';
import { WebhookConfigurationError, WebhookError } from '../errors.js';

/** A URL reduced to its host, for logs: the path of a deploy hook is secret. */
export function maskedAddress(address: string): string {
	const url = URL.parse(address);
	return url ? `${url.protocol}//${url.host}/…` : 'an invalid URL';
}

/** What a trigger passes to the build: `{ pids }`, as read by the integration, or `{ all: true }` if there are too many. */
export type TriggerPayload = { readonly pids: readonly string[] } | { readonly all: true };

/** @param mostBytes limit for the ids as JSON. */
export function toPayload(
	{ pids, all }: Pick<RebuildRequest, 'pids' | 'all'>,
	mostBytes: number,
): TriggerPayload {
	if (all) return { all: true };
	const payload = { pids };
	return new TextEncoder().encode(JSON.stringify(payload)).length > mostBytes ? { all: true } : payload;
}

/** A request that starts a rebuild elsewhere. */
interface Post {
	readonly url: string;
	readonly headers?: Readonly<Record<string, string>>;
	/** Sent as JSON; omit it for an empty body. */
	readonly body?: unknown;
	/** Time limit for the response, in milliseconds. */
	readonly timeout: number;
	readonly fetch: typeof globalThis.fetch;
	readonly signal: AbortSignal;
}

/**
 * Sends the request.
 * @throws WebhookError for anything but a successful response. Its message contains only the host of the URL.
 */
async function post({ url, headers, body, timeout, fetch, signal }: Post): Promise<void> {
	const where = maskedAddress(url);
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
		const why = typeof code === 'string' && /^[A-Z][A-Z_\d]{0,40}$/.test(code) ? ` (${code})` : '';
		throw new WebhookError(
			'PR_REBUILD_FAILED',
			isLate ? `${where} did not answer within ${timeout} ms.` : `${where} could not be reached${why}.`,
		);
	}
	await response.body?.cancel();
	if (!response.ok) {
		throw new WebhookError('PR_REBUILD_FAILED', `${where} answered ${response.status}.`);
	}
}

/** Options of {@link deployHook}. */
export interface DeployHookOptions {
	/**
	 * Whether to send the ids of the changed products in the body. Netlify passes the body to the build, where the
	 * integration reads it.
	 * @default true if the address is one of Netlify's
	 */
	readonly sendsIds?: boolean | undefined;
	/** Time limit for the response, in milliseconds. @default 30_000 */
	readonly timeout?: number | undefined;
	/** @default the global `fetch` */
	readonly fetch?: typeof globalThis.fetch | undefined;
}

/** The build gets the body encoded in one environment variable, which Linux limits to 128 KiB. */
const MOST_BYTES = 32_768;

/**
 * Rebuilds the site through a deploy hook: a URL of Netlify, Vercel, Cloudflare, Render or another host that starts a
 * build when it receives a POST.
 *
 * @param address URL of the hook. It is a secret: only its host is logged.
 * @throws WebhookConfigurationError for anything but an https URL (http is allowed for this machine).
 * @example createCollector({ log, rebuild: deployHook(process.env.DEPLOY_HOOK_URL) })
 */
export function deployHook(address: string | undefined, options: DeployHookOptions = {}): Rebuild {
	const url = URL.parse(String(address ?? ''));
	if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))) {
		throw new WebhookConfigurationError('The deploy hook URL is missing or is not an https URL.');
	}
	const { timeout = 30_000, fetch = globalThis.fetch } = options;
	const sendsIds = options.sendsIds ?? /(^|\.)netlify\.com$/.test(url.hostname);
	return async ({ pids, all, signal, log }) => {
		const body = sendsIds ? toPayload({ pids, all }, MOST_BYTES) : undefined;
		await post({ url: url.href, body, timeout, fetch, signal });
		log(`Deploy hook called: ${maskedAddress(url.href)}`);
	};
}

function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Options of {@link githubDispatch}. */
export interface GithubDispatchOptions {
	/** `owner/name`. */
	readonly repository: string;
	/** A token with write access to the repository's contents. It is never logged. */
	readonly token: string | undefined;
	/** What the workflow listens for, at most 100 characters. @default 'reviews-changed' */
	readonly eventType?: string | undefined;
	/** URL of the API, for GitHub Enterprise. @default 'https://api.github.com' */
	readonly apiUrl?: string | undefined;
	/** Time limit for the response, in milliseconds. @default 30_000 */
	readonly timeout?: number | undefined;
	/** @default the global `fetch` */
	readonly fetch?: typeof globalThis.fetch | undefined;
}

/** `client_payload` must be smaller than 64 KiB. */
const MOST_DISPATCH_BYTES = 60_000;

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
	const { timeout = 30_000, fetch = globalThis.fetch } = options;
	if (!/^[\w.-]+\/[\w.-]+$/.test(repository ?? '')) {
		throw new WebhookConfigurationError(
			'The option "repository" of githubDispatch() must be of the form "owner/name".',
		);
	}
	if (!token?.trim())
		throw new WebhookConfigurationError('The option "token" of githubDispatch() is missing.');
	const url = `${apiUrl.replace(/\/$/, '')}/repos/${repository}/dispatches`;
	return async ({ pids, all, signal, log }) => {
		const body = {
			event_type: eventType,
			client_payload: toPayload({ pids, all }, MOST_DISPATCH_BYTES),
		};
		const headers = {
			accept: 'application/vnd.github+json',
			authorization: `Bearer ${token.trim()}`,
			'user-agent': 'product-reviews-webhook',
			'x-github-api-version': '2022-11-28',
		};
		await post({ url, headers, body, timeout, fetch, signal });
		log(`Workflow started: repository_dispatch "${eventType}" of ${repository}`);
	};
}
