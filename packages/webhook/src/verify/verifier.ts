import type { VerifyHmac } from './verify-hmac.js';

/** A request as a verifier sees it: its headers and the raw bytes of its body. */
export interface UnverifiedRequest {
	readonly headers: Headers;
	readonly body: Uint8Array<ArrayBuffer>;
	/** When it arrived, in milliseconds since 1970. */
	readonly receivedAt: number;
	/** The platform's own HMAC check, if it is faster than WebCrypto. */
	readonly verifyHmac?: VerifyHmac | undefined;
}

/** What a verifier found out about a genuine request. */
export interface Verified {
	/** Id of the event, which stays the same if the sender tries again. Omitted if the sender provides none. */
	readonly id?: string;
	/**
	 * How long a copy of this request would pass as genuine, in milliseconds from when it was received.
	 * @default 600_000
	 */
	readonly validFor?: number;
}

/** Decides whether a request comes from the review service. */
export interface Verifier {
	/** Headers that the verifier requires, in lower case. */
	readonly headers: readonly string[];
	/** Resolves to `undefined` if the request is not genuine. Which part was wrong is deliberately not disclosed. */
	verify(request: UnverifiedRequest): Promise<Verified | undefined>;
}

/** A custom verifier: decides whether a request is genuine. */
export type VerifyFunction = (
	request: UnverifiedRequest,
) => boolean | Verified | undefined | Promise<boolean | Verified | undefined>;

/** One or several verifiers. A request is genuine if one of them accepts it. */
export type Verify = Verifier | VerifyFunction | readonly (Verifier | VerifyFunction)[];
