import { resolveBaseUrl } from './base-url.js';
import { ReviewsConfigurationError, ReviewsError } from './errors.js';
import { codeOfCause, formsOf, redactCause } from './secrets.js';

export interface ApiKeyTokenOptions {
	/**
	 * URL of the operation that returns tokens, without the key. It must be https, except for the local machine or with
	 * `allowHttp`.
	 * @example 'https://reviews.example/api/v1/authToken'
	 */
	readonly url: string;
	/** API key from the dashboard of the service. Sent with requests for a token, and with nothing else. */
	readonly apiKey: string | undefined;
	/** Lifetime of each token, in days. @default the service decides */
	readonly expiresInDays?: number | undefined;
	/** Allows an http address of another machine. @default false */
	readonly allowHttp?: boolean | undefined;
	/** @default the global `fetch` */
	readonly fetch?: typeof globalThis.fetch | undefined;
}

interface Minted {
	readonly token: Promise<string>;
	/** Time to ask again after a failure, on the monotonic clock. */
	retryAt: number;
	readonly mintedAt: number;
	/** Number of tokens before this one that were refused as soon as they were given. */
	readonly refusedBefore: number;
}

/** The tokens of this process: all its clients share the token of a key. */
const tokens = new Map<string, Minted>();

/** Pause after a failure, in milliseconds. Every product would otherwise ask for a token that is not given. */
const PAUSE = 10_000;
/** A service that refuses its own new tokens is not asked for one for every product. */
const MAX_REFUSED = 3;
const REFUSED_AT_ONCE = 1_000;
const TIMEOUT = 10_000;
const RETRIES = 4;
/** A token and a message need no more. */
const MAX_CHARACTERS = 65_536;

const REFUSED =
	'Check that it is the API key from the dashboard of the service, whole and still valid, and that this is the address that gives tokens.';

/**
 * Gets access tokens for an API key, as the option `token` of a client. A token is requested when one is first needed, and
 * again when the service answers 401. All clients of a process share it. It is kept in memory only.
 *
 * @throws ReviewsConfigurationError for an option that cannot be used. The function that it returns rejects with a
 * `ReviewsError` that contains neither the key nor a token; the service is asked again 10 seconds later at the earliest.
 * @example
 * const token = apiKeyToken({ url: 'https://reviews.example/api/v1/authToken', apiKey: process.env.REVIEWS_API_KEY });
 * const client = createReviewsClient({ baseUrl: 'https://reviews.example', wsid: 'W-1001', token });
 */
export function apiKeyToken({
	apiKey,
	expiresInDays: days,
	allowHttp = false,
	...given
}: ApiKeyTokenOptions) {
	const url = resolveBaseUrl(given.url, allowHttp, undefined, 'url of apiKeyToken()');
	if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
		throw new ReviewsConfigurationError(
			'The option apiKey of apiKeyToken() must be a string of visible ASCII characters without spaces. Give the API key from the dashboard of the service.',
			'PR_TOKEN_UNUSABLE',
		);
	}
	if (days !== undefined && !(Number.isInteger(days) && days > 0)) {
		throw new ReviewsConfigurationError(
			'The option expiresInDays of apiKeyToken() must be a whole number of days, at least 1. Leave it out for the default of the service.',
		);
	}
	const query = new URLSearchParams({ api_key: apiKey, ...(days && { expiresIn: String(days) }) });
	const id = `${url}?${query}`;
	const mint = () => requestToken(url, apiKey, id, given.fetch ?? globalThis.fetch);
	/** @param refused the token that the service answered 401 to. */
	return async (refused?: string): Promise<string> => {
		const held = tokens.get(id);
		if (held && held.retryAt > performance.now()) {
			if (refused === undefined || (await held.token) !== refused) return await held.token;
			// While this waited, another operation may have asked.
			const now = tokens.get(id);
			if (now && now !== held) return await now.token;
		}
		const mintedAt = performance.now();
		const isNew = refused !== undefined && held !== undefined && mintedAt - held.mintedAt < REFUSED_AT_ONCE;
		const refusedBefore = isNew ? held.refusedBefore + 1 : 0;
		if (isNew && refusedBefore > MAX_REFUSED) return await held.token;
		const minted: Minted = { token: mint(), retryAt: Number.POSITIVE_INFINITY, mintedAt, refusedBefore };
		tokens.set(id, minted);
		minted.token.catch(() => {
			minted.retryAt = performance.now() + PAUSE;
		});
		return await minted.token;
	};
}

async function requestToken(
	url: string,
	apiKey: string,
	address: string,
	fetch: typeof globalThis.fetch,
): Promise<string> {
	const redact = (text: string) =>
		formsOf(apiKey).reduce((clean, form) => clean.replaceAll(form, '[redacted]'), text);
	for (let retry = 0; ; retry += 1) {
		const failure = (problem: string, advice: string, details: { status?: number; cause?: unknown } = {}) =>
			new ReviewsError('PR_TOKEN_UNUSABLE', `[GET ${url}] No token for the API key: ${problem}. ${advice}`, {
				...{ url, attempts: retry + 1 },
				...details,
			});
		let error: ReviewsError;
		try {
			const signal = AbortSignal.timeout(TIMEOUT);
			// A redirect could lead to another host, with the key.
			const init = { headers: { accept: 'application/json' }, redirect: 'manual', signal } as const;
			const response = await fetch(address, init);
			const { status } = response;
			const answer = readJson(await readText(response));
			if (status === 200 && typeof answer?.['authToken'] === 'string' && answer['success'] !== false)
				return answer['authToken'];
			if ([400, 401, 403].includes(status) || answer?.['success'] === false)
				throw failure(`the service refuses the key (status ${status})`, REFUSED, { status });
			error = failure(`status ${status} without a token`, 'Check the address.', { status });
			if (status < 500 && status !== 429) throw error;
		} catch (cause) {
			if (cause instanceof ReviewsError) throw cause;
			const code = codeOfCause(cause);
			const problem = `the connection failed${code ? ` (${redact(code)})` : ''}`;
			error = failure(problem, 'Check the address and the network.', { cause: redactCause(cause, redact) });
		}
		if (retry === RETRIES) throw error;
		await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** retry));
	}
}

async function readText({ body }: Response): Promise<string> {
	let text = '';
	for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
		text += piece;
		// Leaving the loop cancels the body.
		if (text.length > MAX_CHARACTERS) break;
	}
	return text;
}

function readJson(text: string): Record<string, unknown> | undefined {
	try {
		return JSON.parse(text) ?? undefined;
	} catch {
		return undefined;
	}
}
