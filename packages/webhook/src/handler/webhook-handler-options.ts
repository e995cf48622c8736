import type { Change } from '../changes/change.js';
import type { Verify } from '../verify/verifier.js';
import type { Replays } from './replays.js';

/** Options of {@link createWebhookHandler}. */
export interface WebhookHandlerOptions<Context = unknown> {
	/** How requests prove that they come from the review service; with several, one of them is enough. */
	readonly verify: Verify;
	/**
	 * Takes a change down, before the sender hears that it was accepted. It must be quick: what is to be done about it is
	 * done later. When it throws or rejects, the answer is 503 and the sender tries again. `false` says that this event was
	 * taken down before.
	 * @param context what the handler was called with beside the request.
	 */
	readonly onChange: (change: Change, context: Context | undefined) => unknown;
	/**
	 * Finds the product ids in a body of another shape. None, or an error: anything may have changed.
	 * @default `data.pid` and `data.arrpid`
	 */
	readonly select?: ((body: unknown) => readonly unknown[] | undefined) | undefined;
	/** Longest body, in bytes. @default 262_144 (256 KiB) */
	readonly maxBytes?: number | undefined;
	/** Events that were taken already. @default those of this process */
	readonly replays?: Replays | undefined;
	/** Hears of what went wrong inside; never holds a secret. @default nobody does */
	readonly onError?: ((error: unknown) => void) | undefined;
	/** Milliseconds since 1970. @default Date.now */
	readonly now?: (() => number) | undefined;
}
