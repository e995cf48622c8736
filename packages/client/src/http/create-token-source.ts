import { ReviewsConfigurationError } from '../errors/index.js';
import type { ReviewsClientOptions } from '../options/options.js';

/** The only place that holds the token, in a closure, so that neither inspection nor serialization reveals it. */
export interface TokenSource {
	/** Whether a token or a function was given. */
	readonly given: boolean;
	/** The token; `undefined` if none was given. */
	current(): Promise<string | undefined>;
	/** Replaces a token that the service refused, by calling the function. Returns `false` if there is none. */
	renew(refused: string): Promise<boolean>;
	/** Removes recently used tokens from a text: plain, URL-encoded and in base64. */
	redact(text: string): string;
}

/**
 * Holds the option `token`. The result of a function is kept until the service refuses it. Operations that are refused
 * together share one new call.
 *
 * @throws ReviewsConfigurationError for a token that is not valid in a header.
 */
export function createTokenSource(token: ReviewsClientOptions['token']): TokenSource {
	const secrets = new Set<string>();
	const ask = typeof token === 'function' ? token : undefined;
	const fixed = ask || token === undefined || token === '' ? undefined : keep(token, 'The option token');
	let held: Promise<string> | undefined;

	return {
		given: ask !== undefined || fixed !== undefined,
		async current() {
			return ask ? await hold(ask) : fixed;
		},
		async renew(refused) {
			if (!ask) return false;
			const before = held;
			if (before && (await before) === refused && held === before) held = undefined;
			await hold(ask);
			return true;
		},
		redact(text) {
			let clean = text;
			// The longest first, because one token may be a prefix of another.
			for (const secret of [...secrets].sort((one, other) => other.length - one.length)) {
				clean = clean.replaceAll(secret, REDACTED);
			}
			return clean.replace(/\bBearer +(?!\[redacted\])[^\s"',;\]]+/gi, `Bearer ${REDACTED}`);
		},
	};

	function hold(askForToken: () => string | Promise<string>): Promise<string> {
		if (held) return held;
		const asked = callTokenFunction(askForToken).then((given) =>
			keep(given, 'The answer of the token function'),
		);
		held = asked;
		asked.catch(() => {
			if (held === asked) held = undefined;
		});
		return asked;
	}

	function keep(given: unknown, what: string): string {
		const value = checkToken(given, what);
		for (const form of [value, encodeURIComponent(value), btoa(value)]) {
			secrets.delete(form);
			secrets.add(form);
		}
		for (const oldest of [...secrets].slice(0, -MOST_SECRETS)) secrets.delete(oldest);
		return value;
	}
}

const REDACTED = '[redacted]';

/** Maximum number of remembered token forms, from about 30 tokens. A long-lived process may see thousands. */
const MOST_SECRETS = 100;

async function callTokenFunction(ask: () => string | Promise<string>): Promise<unknown> {
	try {
		return await ask();
	} catch (error) {
		// Only its name is shown, because its message may contain a secret that this package does not know.
		const name = error instanceof Error && /^\w{1,40}$/.test(error.name) ? error.name : typeof error;
		throw new ReviewsConfigurationError(
			`The token function failed (${name}), and no request was sent with its token. ` +
				'Its message is not repeated, because it may contain a secret: log it in the function.',
			'PR_TOKEN_UNUSABLE',
		);
	}
}

function checkToken(token: unknown, what: string): string {
	const value = typeof token === 'string' ? token.trim() : '';
	if (/^[\x21-\x7e]+$/.test(value)) return value;
	const found = typeof token !== 'string' ? `of the type ${typeof token}` : value ? 'not' : 'empty';
	throw new ReviewsConfigurationError(
		`${what} must be a string of visible ASCII characters without spaces, but it is ${found}. ` +
			'Give the access token alone, without the word Bearer.',
		'PR_TOKEN_UNUSABLE',
	);
}
