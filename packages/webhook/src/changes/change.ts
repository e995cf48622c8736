/** What one event says: that something about these products changed. Nothing of its content is ever published. */
export interface Change {
	/** Names the event; `undefined` where the sender gives no name. */
	readonly id: string | undefined;
	/** Products that changed. */
	readonly pids: readonly string[];
	/** The event does not say which: anything may have changed. */
	readonly all: boolean;
	/** Such as `review.created`; `undefined` where the body does not say. */
	readonly type: string | undefined;
	/** When it came, in milliseconds since 1970. */
	readonly receivedAt: number;
}
