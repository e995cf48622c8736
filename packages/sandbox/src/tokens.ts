import { randomBytes } from 'node:crypto';

const DAY = 86_400_000;

interface AccessTokensOptions {
	/** Tokens that never expire. */
	readonly fixed: readonly string[];
	readonly apiKey: string;
	/** Milliseconds that a token is valid for if the caller does not choose. */
	readonly lifetime: number;
	readonly now: () => number;
}

/** The access tokens of operations 1 and 2: those that the sandbox was started with, and those got for its API key. */
export class AccessTokens {
	readonly #options: AccessTokensOptions;
	/** When each expires, in milliseconds since 1970. */
	readonly #minted = new Map<string, number>();

	constructor(options: AccessTokensOptions) {
		this.#options = options;
	}

	/** What no log line may contain. */
	get secrets(): readonly string[] {
		const { fixed, apiKey } = this.#options;
		return [...fixed, apiKey, ...this.#minted.keys()];
	}

	isValid(token: string): boolean {
		const { fixed, now } = this.#options;
		return fixed.includes(token) || (this.#minted.get(token) ?? 0) > now();
	}

	/** @returns `undefined` for a wrong key. */
	mint(apiKey: string | null, days: number | undefined): string | undefined {
		if (apiKey !== this.#options.apiKey) return undefined;
		const token = `tok_${randomBytes(18).toString('base64url')}`;
		this.#minted.set(token, this.#options.now() + (days === undefined ? this.#options.lifetime : days * DAY));
		return token;
	}
}
