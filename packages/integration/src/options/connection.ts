import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Operation } from 'product-reviews-client';
import { apiKeyToken } from 'product-reviews-client/api-key-token';
import { type BaseUrls, baseUrlFor, nameFor, resolveBaseUrl } from 'product-reviews-client/base-url';
import { ReviewsConfigurationError } from 'product-reviews-client/errors';
import { FUNCTION_LIMIT, within } from '../base/async.js';
import { ENVIRONMENT } from '../constants.js';
import { ProductReviewsConfigurationError } from '../errors.js';
import type { ProductReviewsOptions, RequestOptions } from './schema.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** One URL, or several if operations are at different places. */
export type BaseUrl = string | BaseUrls;

/** The website ID, and where it and the token were set, for messages. Never the token itself. */
export interface Credentials {
	readonly wsid: string;
	readonly origins: {
		/** @example 'the option "wsid" of productReviews()' */
		readonly wsid: string;
		/** @example 'REVIEWS_TOKEN in the environment or in .env' */
		readonly token: string;
	};
}

type Token = (refused?: string) => string | Promise<string>;

/** The address of the service and the credentials. The token stays in a closure, out of logs, messages and inspection. */
export interface Connection extends Credentials {
	readonly baseUrl: BaseUrl;
	/** Names the place where the URL of each operation was set, for messages. */
	readonly urlOrigins: ReturnType<typeof urlOriginsOf>;
	readonly token: Token | undefined;
	/** URL at which tokens are requested; `undefined` without an API key. */
	readonly tokenUrl: string | undefined;
	/** See {@link accountOf}. */
	readonly account: string;
}

interface ConnectionOptions {
	readonly baseUrl?: BaseUrl | undefined;
	readonly wsid?: string | undefined;
	readonly token?: string | Token | undefined;
	readonly allowHttp?: boolean | undefined;
}

/**
 * Takes each value from the options, or otherwise from the environment.
 * @param place where variables can be set. @default {@link ENVIRONMENT_PLACE}
 * @throws ProductReviewsConfigurationError that names what is missing in both.
 */
export function resolveConnection(
	options: ConnectionOptions,
	environment: Environment,
	place = ENVIRONMENT_PLACE,
): Connection {
	const baseUrl = baseUrlOf(options.baseUrl, environment);
	const wsid = options.wsid?.trim() || environment[ENVIRONMENT.wsid]?.trim();
	if (!baseUrl || !wsid) {
		const missing = findMissing(options, environment, place).filter(({ isRequired }) => isRequired);
		throw new ProductReviewsConfigurationError(
			'PR_NOT_CONFIGURED',
			`Not set: ${missing.map(({ what }) => what).join(' and ')}.`,
			missing.map(howToSet).join('\n'),
		);
	}
	const tokenName = environment[ENVIRONMENT.token] || !environment[ENVIRONMENT.apiKey] ? 'token' : 'apiKey';
	return {
		baseUrl,
		wsid,
		urlOrigins: urlOriginsOf(baseUrl, options.baseUrl),
		token: tokenOf(options, environment, baseUrl),
		tokenUrl: !options.token && tokenName === 'apiKey' ? tokenUrlOf(environment, baseUrl) : undefined,
		origins: {
			wsid: options.wsid?.trim() ? originOf('wsid') : inEnvironment(ENVIRONMENT.wsid),
			token: options.token ? originOf('token') : inEnvironment(ENVIRONMENT[tokenName]),
		},
		account: accountOf(baseUrl, wsid),
	};
}

const originOf = (option: string) => `the option "${option}" of productReviews()`;

const ENVIRONMENT_PLACE = 'in the environment or in .env';

const inEnvironment = (variable: string) => `${variable} ${ENVIRONMENT_PLACE}`;

/** Variables of the URLs, by their names in the option `baseUrl`. */
const URL_VARIABLES = {
	default: ENVIRONMENT.baseUrl,
	starRating: ENVIRONMENT.starRatingUrl,
	productReviewData: ENVIRONMENT.productReviewDataUrl,
	crawlerHtml: ENVIRONMENT.crawlerHtmlUrl,
} as const satisfies Record<keyof BaseUrls, string>;

const URL_NAMES = Object.keys(URL_VARIABLES) as (keyof BaseUrls)[];

const OPERATIONS = ['crawlerReviews', 'productReviewData', 'starRating'] as const;

/**
 * Says where the URL of each operation is set, for messages.
 * @param given the option `baseUrl`. @param place where variables are set.
 */
export function urlOriginsOf(baseUrl: BaseUrl, given: BaseUrl | undefined, place = ENVIRONMENT_PLACE) {
	const options = urlsOf(given);
	const originFor = (operation: Operation) => {
		const name = nameFor(urlsOf(baseUrl), operation);
		return options[name]?.trim() ? originOf(optionFor(name)) : `${URL_VARIABLES[name]} ${place}`;
	};
	return {
		starRating: originFor('starRating'),
		productReviewData: originFor('productReviewData'),
		crawlerReviews: originFor('crawlerReviews'),
	};
}

const urlsOf = (given: BaseUrl | undefined): BaseUrls =>
	typeof given === 'string' ? { default: given } : (given ?? {});

const optionFor = (name: keyof BaseUrls) => (name === 'default' ? 'baseUrl' : `baseUrl.${name}`);

/** @returns `undefined` if an operation has no URL. */
export function baseUrlOf(given: BaseUrl | undefined, environment: Environment): BaseUrl | undefined {
	const options = urlsOf(given);
	const urls = URL_NAMES.flatMap((name) => {
		const url = options[name]?.trim() || environment[URL_VARIABLES[name]]?.trim();
		return url ? [[name, url] as const] : [];
	});
	const found: BaseUrls = Object.fromEntries(urls);
	if (OPERATIONS.some((operation) => baseUrlFor(found, operation) === undefined)) return undefined;
	return urls.length === 1 ? found.default : found;
}

/** Path of the operation that returns tokens. The service documents it by name only. */
const TOKEN_PATH = '/api/v1/authToken';

function tokenUrlOf(environment: Environment, baseUrl: BaseUrl): string {
	const base = typeof baseUrl === 'string' ? baseUrl : (baseUrl.default ?? baseUrl.starRating);
	return environment[ENVIRONMENT.tokenUrl]?.trim() || `${base?.replace(/\/+$/, '')}${TOKEN_PATH}`;
}

/** @returns a function that returns the token, or requests one with the API key; `undefined` if there is neither. */
export function tokenOf(
	{ token: given, allowHttp }: Pick<ConnectionOptions, 'token' | 'allowHttp'>,
	environment: Environment,
	baseUrl: BaseUrl,
): Token | undefined {
	// An empty variable is what hosts set for a secret that is missing.
	const token = given || environment[ENVIRONMENT.token];
	if (token) return typeof token === 'string' ? () => token : limited(token);
	const apiKey = environment[ENVIRONMENT.apiKey]?.trim();
	if (!apiKey) return undefined;
	const url = tokenUrlOf(environment, baseUrl);
	return async (refused) => apiKeyToken({ url, apiKey, allowHttp })(refused);
}

/**
 * Limits how long the site's own function may take. While a call of it is late, all others fail at once: each product
 * would wait as long as the first.
 */
function limited(token: Token): Token {
	let late: Promise<string> | undefined;
	const fail = (): never => {
		throw new ReviewsConfigurationError(
			`The function of the option "token" did not give a token within ${FUNCTION_LIMIT / 1_000} seconds. Look for what it waits for, such as a request without a time limit.`,
			'PR_TOKEN_UNUSABLE',
		);
	};
	return async (refused) => {
		if (late) fail();
		const asked = Promise.resolve(token(refused));
		return within(asked, FUNCTION_LIMIT, () => {
			late = asked;
			const forget = () => {
				late = undefined;
			};
			asked.then(forget, forget);
			return fail();
		});
	};
}

/** Options of the client that do not depend on the service's address; time limits in milliseconds. */
export function throttleOf(options: RequestOptions) {
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
export function accountOf(baseUrl: BaseUrl, wsid: string): string {
	const urls = OPERATIONS.map((operation) => {
		const written = baseUrlFor(baseUrl, operation) ?? '';
		const url = URL.parse(written);
		return url ? url.origin + url.pathname.replace(/\/+$/, '') : written;
	});
	return bytesToHex(sha256(utf8ToBytes(JSON.stringify([...new Set(urls), wsid])))).slice(0, 16);
}

/** A value that is set neither in the options nor in the environment. */
export interface MissingValue {
	readonly option: 'baseUrl' | 'wsid' | 'token' | 'products';
	readonly variable: string | undefined;
	/** @example 'the website ID of the store' */
	readonly what: string;
	/** Consequence of the missing value, as a sentence. */
	readonly without: string;
	/** `true` if a build fails without the value. */
	readonly isRequired: boolean;
	/** Names the place where the variable can be set. */
	readonly place: string;
}

const VALUES: readonly Omit<MissingValue, 'place'>[] = [
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
		what: 'the website ID of the store',
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
		without: 'Builds fetch products only when a page shows them, one page after another.',
		isRequired: false,
	},
];

/**
 * Returns the values that are not set. A value of spaces counts as not set; so does an empty variable.
 * @param place where variables can be set. @default {@link ENVIRONMENT_PLACE}
 */
export function findMissing(
	options: ConnectionOptions & Pick<ProductReviewsOptions, 'products'>,
	environment: Environment,
	place = ENVIRONMENT_PLACE,
): MissingValue[] {
	const has = (variable = '') => Boolean(environment[variable]?.trim());
	return VALUES.filter(({ option, variable }) => {
		if (option === 'baseUrl') return baseUrlOf(options.baseUrl, environment) === undefined;
		const given = options[option];
		const isGiven = typeof given === 'string' ? given.trim() !== '' : given !== undefined;
		return !isGiven && !has(variable) && !(option === 'token' && has(ENVIRONMENT.apiKey));
	}).map((value) => ({ ...value, place }));
}

/** Says where to set a value, as a sentence. */
export function howToSet({ option, variable, place }: MissingValue): string {
	const either = `Set the option "${option}" of productReviews()`;
	return variable === undefined ? `${either}.` : `${either}, or ${variable} ${place}.`;
}

/**
 * Checks the addresses of the service by the rules of the client.
 * @throws ProductReviewsConfigurationError for the first that is not a plain URL, or not https.
 */
export function checkAddresses(
	{ baseUrl, tokenUrl }: { readonly baseUrl: BaseUrl | undefined; readonly tokenUrl?: string | undefined },
	{ baseUrl: given, allowHttp }: Pick<RequestOptions, 'baseUrl' | 'allowHttp'>,
): void {
	const urls = urlsOf(baseUrl);
	for (const name of URL_NAMES) {
		const url = urls[name]?.trim();
		const option = optionFor(name);
		const where = given?.[name]?.trim() ? originOf(option) : URL_VARIABLES[name];
		if (url) checkAddress(url, allowHttp, option, where);
	}
	if (tokenUrl) checkAddress(tokenUrl, allowHttp, 'url of apiKeyToken()', ENVIRONMENT.tokenUrl);
}

function checkAddress(url: string, allowHttp: boolean, option: string, where: string): void {
	try {
		resolveBaseUrl(url, allowHttp, undefined, option);
	} catch (cause) {
		if (!(cause instanceof ReviewsConfigurationError)) throw cause;
		throw new ProductReviewsConfigurationError(
			'PR_INVALID_URL',
			cause.message,
			`It comes from ${where}. Expected an address such as "https://reviews.example".`,
			{ cause },
		);
	}
}

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
