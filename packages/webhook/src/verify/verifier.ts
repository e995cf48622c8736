import type { VerifyHmac } from './verify-hmac.js';

/** A request as a verifier sees it: its headers and the bytes of its body, as they came over the wire. */
export interface UnverifiedRequest {
	readonly headers: Headers;
	readonly body: Uint8Array<ArrayBuffer>;
	/** When it came, in milliseconds since 1970. */
	readonly receivedAt: number;
	/** The platform's own way to check a signature, where it has a quicker one than WebCrypto. */
	readonly verifyHmac?: VerifyHmac | undefined;
}

/** What a verifier found out about a request that is genuine. */
export interface Verified {
	/** Names the event: the same when the sender tries again. Left out where the sender gives none. */
	readonly id?: string;
	/**
	 * How long a copy of this request would be taken for genuine, in milliseconds from when it was received.
	 * @default 600_000
	 */
	readonly validFor?: number;
}

/** Decides whether a request comes from the review service. */
export interface Verifier {
	/** Headers, in lower case, without which it cannot be decided. */
	readonly headers: readonly string[];
	/** `undefined` where the request is not genuine. Which part was wrong is nobody's business. */
	verify(request: UnverifiedRequest): Promise<Verified | undefined>;
}

/** A verifier of one's own: whether a request is genuine. */
export type VerifyFunction = (
	request: UnverifiedRequest,
) => boolean | Verified | undefined | Promise<boolean | Verified | undefined>;

/** One or several ways to be genuine: one of them is enough. */
export type Verify = Verifier | VerifyFunction | readonly (Verifier | VerifyFunction)[];
