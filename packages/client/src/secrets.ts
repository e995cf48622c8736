import { ReviewsConfigurationError, ReviewsError } from './errors.js';

export type TokenOption = string | TokenFunction | undefined;

/**
 * Returns an access token.
 * @param refused the token that the service answered 401 to, if that is why the function is called again.
 */
export type TokenFunction = (refused?: string) => string | Promise<string>;

export type Show = (text: string, maxLength: number) => string;

/**
 * The only place that holds the token, in private fields, so that neither inspection nor serialization reveals it. The
 * result of a function is kept until the service refuses it. Operations that are refused together share one new call.
 */
export class TokenSource {
	readonly #secrets = new Set<string>();
	readonly #ask: TokenFunction | undefined;
	#held: Promise<string> | undefined;

	/** @throws ReviewsConfigurationError for a token that is not valid in a header. */
	constructor(token: TokenOption) {
		if (typeof token === 'function') this.#ask = token;
		else if (token !== undefined && token !== '') {
			this.#held = Promise.resolve(this.#keep(token, 'The option token'));
		}
	}

	get isGiven(): boolean {
		return this.#ask !== undefined || this.#held !== undefined;
	}

	async current(refused?: string): Promise<string | undefined> {
		if (this.#held || !this.#ask) return await this.#held;
		const asked = this.#askFor(this.#ask, refused);
		this.#held = asked;
		asked.catch(() => {
			if (this.#held === asked) this.#held = undefined;
		});
		return await asked;
	}

	/** Replaces a token that the service refused, by calling the function. Returns `false` if there is none. */
	async renew(refused: string): Promise<boolean> {
		if (!this.#ask) return false;
		const before = this.#held;
		if (before && (await before) === refused && this.#held === before) this.#held = undefined;
		await this.current(refused);
		return true;
	}

	/** Removes recently used tokens from a text: plain, URL-encoded and in base64. */
	readonly redact = (text: string): string => {
		let clean = text;
		// The longest first, because one token may be a prefix of another.
		for (const secret of [...this.#secrets].sort((one, other) => other.length - one.length)) {
			clean = clean.replaceAll(secret, REDACTED);
		}
		return clean.replace(/\bBearer +(?!\[redacted\])[^\s"',;\]]+/gi, `Bearer ${REDACTED}`);
	};

	readonly show: Show = (text, maxLength) => printable(text, maxLength, this.redact);

	async #askFor(ask: TokenFunction, refused: string | undefined): Promise<string> {
		let given: unknown;
		try {
			given = await ask(refused);
		} catch (error) {
			// Errors of this package contain no secret.
			if (error instanceof ReviewsError) throw error;
			// Only its name is shown, because its message may contain a secret that this package does not know.
			const name = error instanceof Error && /^\w{1,40}$/.test(error.name) ? error.name : typeof error;
			throw new ReviewsConfigurationError(
				`The token function failed (${name}), and no request was sent with its token. ` +
					'Its message is not repeated, because it may contain a secret: log it in the function.',
				'PR_TOKEN_UNUSABLE',
			);
		}
		return this.#keep(given, 'The answer of the token function');
	}

	#keep(given: unknown, name: string): string {
		const value = typeof given === 'string' ? given.trim() : '';
		if (!/^[\x21-\x7e]+$/.test(value)) {
			const found = typeof given !== 'string' ? `of the type ${typeof given}` : value ? 'not' : 'empty';
			throw new ReviewsConfigurationError(
				`${name} must be a string of visible ASCII characters without spaces, but it is ${found}. ` +
					'Give the access token alone, without the word Bearer.',
				'PR_TOKEN_UNUSABLE',
			);
		}
		for (const form of formsOf(value)) {
			this.#secrets.delete(form);
			this.#secrets.add(form);
		}
		for (const oldest of [...this.#secrets].slice(0, -MAX_SECRETS)) this.#secrets.delete(oldest);
		return value;
	}
}

/** Returns the forms in which a log or an error may contain a secret: plain, URL-encoded and in base64. */
export function formsOf(secret: string): readonly string[] {
	return [secret, encodeURIComponent(secret), btoa(secret)];
}

const REDACTED = '[redacted]';

/** Forms of about 30 tokens. A long-lived process may see thousands of tokens. */
const MAX_SECRETS = 100;

/**
 * Makes a text safe for a log line: removes secrets and control, format and surrogate characters, and cuts it to
 * `maxLength` characters.
 *
 * @param redact removes the secrets. It runs before the cut, because it would not recognize half a secret, and once more
 * after the other characters are removed, because those may split a secret.
 * @example printable('p-1\u001b[31m', 80) // 'p-1[31m'
 */
export function printable(
	text: string,
	maxLength: number,
	redact: (text: string) => string = (same) => same,
): string {
	const clean = redact(redact(text).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, ''));
	// A character is one or two code units.
	const characters = [...clean.slice(0, (maxLength + 1) * 2)];
	if (characters.length <= maxLength) return characters.join('');
	return `${characters.slice(0, maxLength - 1).join('')}…`;
}

/**
 * Copies an error without secrets: its redacted name, message, stack and code, and its causes. The runtime, or the
 * caller's `fetch`, may have attached the request with its headers to the original.
 */
export function redactCause(error: unknown, redact: (text: string) => string, depth = 0): Error {
	if (!(error instanceof Error)) {
		const said = typeof error === 'string' ? redact(error) : `a value of the type ${typeof error}`;
		return new Error(`Something that is not an error was thrown: ${said}.`);
	}
	const hasCause = error.cause !== undefined && depth < MAX_CAUSES;
	const cause = hasCause ? { cause: redactCause(error.cause, redact, depth + 1) } : undefined;
	const copy = new Error(redact(error.message), cause);
	const hidden = { configurable: true, writable: true, enumerable: false };
	Object.defineProperty(copy, 'name', { ...hidden, value: redact(error.name) });
	Object.defineProperty(copy, 'stack', { ...hidden, value: redact(error.stack ?? '') });
	const code = 'code' in error && typeof error.code === 'string' ? { code: redact(error.code) } : {};
	return Object.assign(copy, code);
}

/** Finds the code of an error or its causes: the runtime's own message says little ("fetch failed"). */
export function codeOfCause(error: unknown, depth = 0): string | undefined {
	if (!(error instanceof Error) || depth === MAX_CAUSES) return undefined;
	if ('code' in error && typeof error.code === 'string') return error.code;
	return codeOfCause(error.cause, depth + 1);
}

/** Causes may form a circle. */
const MAX_CAUSES = 5;
