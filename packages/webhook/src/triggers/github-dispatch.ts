import type { Rebuild } from '../collect/rebuild.js';
import { WebhookConfigurationError } from '../errors.js';
import { toPayload } from './payload.js';
import { post } from './post.js';

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
const MOST_BYTES = 60_000;

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
		const body = { event_type: eventType, client_payload: toPayload({ pids, all }, MOST_BYTES) };
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
