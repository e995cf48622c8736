import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { resolveBaseUrl } from 'product-reviews-client/base-url';
import { ReviewsConfigurationError } from 'product-reviews-client/errors';
import { ENVIRONMENT } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import type { ReviewProvider } from './provider.js';
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
export interface Connection extends Credentials {
	readonly baseUrl: string;
	readonly token: (() => string | Promise<string>) | undefined;
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
		origins: { wsid: originOf('wsid', options.wsid?.trim()), token: originOf('token', options.token) },
		account: accountOf(baseUrl, wsid),
	};
}

function originOf(name: 'wsid' | 'token', given: unknown): string {
	if (given) return `the option "${name}" of productReviews()`;
	return `${ENVIRONMENT[name]} in the environment or in .env`;
}

/** Options of the client, except the token; time limits in milliseconds. */
export function toClientOptions(connection: Connection, options: ProductReviewsOptions) {
	return { baseUrl: connection.baseUrl, wsid: connection.wsid, ...pacingOf(options) };
}

/** Options of the client that do not depend on the service's address; time limits in milliseconds. */
export function pacingOf(options: ProductReviewsOptions) {
	return {
		sendTokenForReviews: options.sendTokenForReviews,
		allowHttp: options.allowHttp,
		timeout: options.timeout,
		retries: options.retries,
		concurrency: options.concurrency,
		requestsPerSecond: options.requestsPerSecond,
		maxResponseBytes: options.maxResponseBytes,
	};
}

/** Identifies the service and the store's account there without revealing either. It stays the same from build to build. */
export function accountOf(baseUrl: string, wsid: string): string {
	const origin = URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
	return bytesToHex(sha256(utf8ToBytes(JSON.stringify([origin, wsid])))).slice(0, 16);
}

/** The same of a provider. */
export function accountOfProvider({ name = '' }: ReviewProvider): string {
	return accountOf('provider', name);
}

/** A value that is set neither in the options nor in the environment. */
export interface MissingValue {
	readonly option: 'baseUrl' | 'wsid' | 'token' | 'products';
	readonly variable: string | undefined;
	/** @example 'the website id of the store' */
	readonly what: string;
	/** What happens without it, as a sentence. */
	readonly without: string;
	/** Whether a build fails without it. */
	readonly isRequired: boolean;
}

const VALUES: readonly MissingValue[] = [
	{
		option: 'baseUrl',
		variable: ENVIRONMENT.baseUrl,
		what: 'the address of the review service',
		without: 'Pages show no reviews, and builds fail.',
		isRequired: true,
	},
	{
		option: 'wsid',
		variable: ENVIRONMENT.wsid,
		what: 'the website id of the store',
		without: 'Pages show no reviews, and builds fail.',
		isRequired: true,
	},
	{
		option: 'token',
		variable: ENVIRONMENT.token,
		what: 'the access token',
		without: 'Review data cannot be fetched, and each star rating in a list takes a request of its own.',
		isRequired: false,
	},
	{
		option: 'products',
		variable: undefined,
		what: 'the product list',
		without: 'Builds fetch products only when a page asks for them, one page after another.',
		isRequired: false,
	},
];

/** The values that are not set. A value of spaces counts as not set; so does an empty variable. */
export function findMissing(
	options: Pick<ProductReviewsOptions, MissingValue['option']>,
	environment: Readonly<Record<string, string | undefined>>,
): MissingValue[] {
	return VALUES.filter(({ option, variable }) => {
		const given = options[option];
		const isGiven = typeof given === 'string' ? given.trim() !== '' : given !== undefined;
		return !isGiven && !(variable !== undefined && environment[variable]?.trim());
	});
}

/** Where to set a value, as a sentence. */
export function howToSet({ option, variable }: MissingValue): string {
	const either = `Set the option "${option}" of productReviews()`;
	return variable === undefined ? `${either}.` : `${either}, or ${variable} in the environment or in .env.`;
}

/**
 * Checks the address of the service by the rules of the client.
 * @param where it was given, for the message.
 * @throws ProductReviewsConfigurationError if it is not just scheme and host, or not https.
 */
export function checkAddress(baseUrl: string, allowHttp: boolean, where: string): void {
	try {
		resolveBaseUrl(baseUrl, allowHttp);
	} catch (cause) {
		if (!(cause instanceof ReviewsConfigurationError)) throw cause;
		throw new ProductReviewsConfigurationError(
			'PR_INVALID_ADDRESS',
			cause.message,
			`It comes from ${where}. Expected an address such as "https://reviews.example".`,
			{ cause },
		);
	}
}

export const BASE_URL_OPTION = 'the option "baseUrl" of productReviews()';

/**
 * Reads the environment variable with options of the storage's driver.
 * @throws ProductReviewsConfigurationError that does not contain the value.
 */
export function readStorageConfig(text: string | undefined): Readonly<Record<string, unknown>> {
	if (!text?.trim()) return {};
	try {
		const config: unknown = JSON.parse(text);
		if (typeof config === 'object' && config !== null && !Array.isArray(config)) return { ...config };
	} catch {
		// It is not JSON.
	}
	throw new ProductReviewsConfigurationError(
		'PR_STORAGE_FAILED',
		`${ENVIRONMENT.storageConfig} is not a JSON object, such as {"url":"redis://127.0.0.1:6379"}.`,
		'Set it where the site is built, and where its server runs.',
	);
}
