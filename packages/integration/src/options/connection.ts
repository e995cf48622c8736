import { ENVIRONMENT } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import { accountOf } from './account.js';
import { findMissing, howToSet } from './missing-values.js';
import type { ProductReviewsOptions } from './schema.js';

/** The website id, and where it and the token were set, for messages. Never the token itself. */
export interface Credentials {
	readonly wsid: string;
	readonly origins: {
		/** @example 'the option "wsid" of productReviews()' */
		readonly wsid: string;
		/** @example 'REVIEWS_TOKEN in the environment or in .env' */
		readonly token: string;
	};
}

/** The address of the service and the credentials. The token stays in a closure, out of logs, messages and inspection. */
export interface Connection {
	readonly baseUrl: string;
	readonly wsid: string;
	readonly token: (() => string | Promise<string>) | undefined;
	/** Where website id and token were set, for messages. */
	readonly origins: Credentials['origins'];
	/** Identifies the service and the store's account there without revealing either; stable from build to build. */
	readonly account: string;
}

/**
 * Takes each value from the options, or otherwise from the environment.
 * @throws ProductReviewsConfigurationError that names what is missing in both.
 */
export function resolveConnection(
	options: Pick<ProductReviewsOptions, 'baseUrl' | 'wsid' | 'token'>,
	environment: Readonly<Record<string, string | undefined>>,
): Connection {
	const baseUrl = options.baseUrl?.trim() || environment[ENVIRONMENT.baseUrl]?.trim();
	const wsid = options.wsid?.trim() || environment[ENVIRONMENT.wsid]?.trim();
	if (!baseUrl || !wsid) {
		const missing = findMissing({ ...options, products: undefined }, environment).filter(
			({ isRequired }) => isRequired,
		);
		throw new ProductReviewsConfigurationError(
			'PR_NOT_CONFIGURED',
			`Not set: ${missing.map(({ what }) => what).join(' and ')}.`,
			missing.map(howToSet).join('\n'),
		);
	}
	// An empty variable is what hosts set for a secret that is missing.
	const token = options.token || environment[ENVIRONMENT.token] || undefined;
	return {
		baseUrl,
		wsid,
		token: typeof token === 'string' ? () => token : token,
		origins: {
			wsid: originOf('wsid', options.wsid?.trim()),
			token: originOf('token', options.token),
		},
		account: accountOf(baseUrl, wsid),
	};
}

function originOf(name: 'wsid' | 'token', given: unknown): string {
	if (given) return `the option "${name}" of productReviews()`;
	return `${ENVIRONMENT[name]} in the environment or in .env`;
}

/** Options of the client, except the token; time limits in milliseconds. */
export function toClientOptions(connection: Connection, options: ProductReviewsOptions) {
	return {
		baseUrl: connection.baseUrl,
		wsid: connection.wsid,
		...pacingOf(options),
	};
}

/** Options of the client that do not depend on the service's address; time limits in milliseconds. */
export function pacingOf(options: ProductReviewsOptions) {
	return {
		authorizeCrawlerReviews: options.authorizeCrawlerHtml,
		allowHttp: options.allowHttp,
		timeout: options.timeout,
		retries: options.retries,
		concurrency: options.concurrency,
		requestsPerSecond: options.requestsPerSecond,
		maxResponseBytes: options.maxResponseBytes,
	};
}
