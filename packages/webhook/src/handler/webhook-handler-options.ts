import type { Change } from '../changes/change.js';
import type { Verify } from '../verify/verifier.js';
import type { Replays } from './replays.js';

/** Options of {@link createWebhookHandler}. */
export interface WebhookHandlerOptions<Context = unknown> {
	/** How to verify that a request comes from the review service. If there are several, one is enough. */
	readonly verify: Verify;
	/**
	 * Records a change before the response is sent. It must be quick: act on the change later. If it throws or rejects,
	 * the response is 503 and the sender tries again. Return `false` if this event was recorded before.
	 * @param context second argument of the handler.
	 */
	readonly onChange: (change: Change, context: Context | undefined) => unknown;
	/**
	 * Finds the product ids in a body of a different shape. If it returns none or throws, anything may have changed.
	 * @default `data.pid` and `data.arrpid`
	 */
	readonly select?: ((body: unknown) => readonly unknown[] | undefined) | undefined;
	/** Longest body, in bytes. @default 262_144 (256 KiB) */
	readonly maxBytes?: number | undefined;
	/** Remembers which events were already accepted. @default in memory, for this process */
	readonly replays?: Replays | undefined;
	/** Called with internal errors, which never contain a secret. @default errors are ignored */
	readonly onError?: ((error: unknown) => void) | undefined;
	/** Milliseconds since 1970. @default Date.now */
	readonly now?: (() => number) | undefined;
}
