import type { Rebuild, RebuildRequest } from './collector.js';
import { WebhookConfigurationError, WebhookError, type WebhookErrorCode } from './errors.js';

/** Returns the ids as the integration reads them from the environment of the build, or "all" if there are too many. */
export function toPayload(
	{ pids, all }: Pick<RebuildRequest, 'pids' | 'all'>,
	maxBytes: number,
): { readonly pids: readonly string[] } | { readonly all: true } {
	if (all) return { all: true };
	const payload = { pids };
	return new TextEncoder().encode(JSON.stringify(payload)).length > maxBytes ? { all: true } : payload;
}

export interface TriggerOptions {
	/** Time limit for the response, in milliseconds. @default 30_000 */
	readonly timeout?: number | undefined;
	/** @default the global `fetch` */
	readonly fetch?: typeof globalThis.fetch | undefined;
}

interface Post extends TriggerOptions {
	readonly headers?: Readonly<Record<string, string>> | Headers;
	readonly body?: string | ArrayBuffer;
	readonly signal?: AbortSignal;
}

/**
 * @throws WebhookError with this code for anything but a successful response. Its message contains only the host of the
 * URL.
 */
export async function post(
	url: string,
	{ timeout = 30_000, fetch = globalThis.fetch, signal, ...request }: Post,
	code: WebhookErrorCode = 'PR_UPDATE_FAILED',
): Promise<void> {
	let response: Response;
	try {
		response = await fetch(url, {
			method: 'POST',
			// The URL and the headers are secret, so they must not follow a redirect.
			redirect: 'manual',
			...request,
			signal: AbortSignal.any([AbortSignal.timeout(timeout), signal ?? []].flat()),
		});
	} catch (error) {
		if (signal?.aborted) throw signal.reason;
		// Only the code: messages contain URLs.
		const { name, cause } = (error ?? {}) as Partial<Error>;
		const { code: reason } = (cause ?? {}) as { code?: unknown };
		const isCode = typeof reason === 'string' && /^[A-Z][A-Z_\d]{0,40}$/.test(reason);
		const problem = name === 'TimeoutError' ? `did not answer within ${timeout} ms` : 'could not be reached';
		throw new WebhookError(code, `${hostOf(url)} ${problem}${isCode ? ` (${reason})` : ''}.`);
	}
	await response.body?.cancel();
	if (!response.ok) throw new WebhookError(code, `${hostOf(url)} answered ${response.status}.`);
}

/** Reduces a URL to its host: the path of a deploy hook is secret. */
function hostOf(address: string): string {
	const url = URL.parse(address);
	return url ? `${url.protocol}//${url.host}/…` : 'an invalid URL';
}

/** The build gets the body encoded in one environment variable, which Linux limits to 128 KiB. */
const MAX_HOOK_BYTES = 32_768;

/**
 * Rebuilds the site through a deploy hook: a URL of Netlify, Vercel, Cloudflare, Render or another host that starts a
 * build when it receives a POST, or of a pipeline trigger of GitLab.
 *
 * @param address URL of the hook. It is a secret: only its host is logged.
 * @throws WebhookConfigurationError for anything but an https URL (http is allowed for this machine).
 * @example new Collector({ log, rebuild: deployHook(process.env.DEPLOY_HOOK_URL) })
 */
export function deployHook(address: string | undefined, options: TriggerOptions = {}): Rebuild {
	const url = URL.parse(String(address ?? ''));
	if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname)))) {
		throw new WebhookConfigurationError('The deploy hook URL is missing or is not an https URL.');
	}
	// Netlify and GitLab pass the body to the build, where the integration reads it.
	const sendsIds = /(^|\.)netlify\.com$/.test(url.hostname) || url.pathname.endsWith('/trigger/pipeline');
	return async ({ pids, all, signal, log }) => {
		const ids = sendsIds && {
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(toPayload({ pids, all }, MAX_HOOK_BYTES)),
		};
		await post(url.href, { ...options, ...ids, signal });
		log(`Deploy hook called: ${hostOf(url.href)}`);
	};
}

function isLoopback(hostname: string): boolean {
	return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Options of {@link githubDispatch}. */
export interface GithubDispatchOptions extends TriggerOptions {
	/** `owner/name`. */
	readonly repository: string;
	/** A token with write access to the repository's contents. It is never logged. */
	readonly token: string | undefined;
	/** URL of the API, for GitHub Enterprise. @default 'https://api.github.com' */
	readonly apiUrl?: string | undefined;
}

const EVENT_TYPE = 'reviews-changed';

/** `client_payload` must be smaller than 64 KiB. */
const MAX_DISPATCH_BYTES = 60_000;

/**
 * Starts the GitHub workflows that listen for the `repository_dispatch` named "reviews-changed". The ids of the products are in its
 * `client_payload`, where the integration reads them; if there are too many, it says "all".
 *
 * @throws WebhookConfigurationError for an unusable repository or token.
 * @example githubDispatch({ repository: 'shop/storefront', token: process.env.GITHUB_DISPATCH_TOKEN })
 * @see https://docs.github.com/en/rest/repos/repos#create-a-repository-dispatch-event
 */
export function githubDispatch(options: GithubDispatchOptions): Rebuild {
	const { repository, token, apiUrl = 'https://api.github.com', ...trigger } = options;
	if (!/^[\w.-]+\/[\w.-]+$/.test(repository ?? '')) {
		throw new WebhookConfigurationError(
			'The option "repository" of githubDispatch() must be of the form "owner/name".',
		);
	}
	if (!token?.trim()) {
		throw new WebhookConfigurationError('The option "token" of githubDispatch() is missing.');
	}
	const url = `${apiUrl.replace(/\/$/, '')}/repos/${repository}/dispatches`;
	const headers = {
		'content-type': 'application/json',
		accept: 'application/vnd.github+json',
		authorization: `Bearer ${token.trim()}`,
		'user-agent': 'product-reviews-webhook',
		'x-github-api-version': '2022-11-28',
	};
	return async ({ pids, all, signal, log }) => {
		const client_payload = toPayload({ pids, all }, MAX_DISPATCH_BYTES);
		const body = JSON.stringify({ event_type: EVENT_TYPE, client_payload });
		await post(url, { ...trigger, headers, body, signal });
		log(`Workflow started: repository_dispatch "${EVENT_TYPE}" of ${repository}`);
	};
}
