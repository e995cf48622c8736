/** What one event reports: which products changed. The event's content is never published. */
export interface Change {
	/** Id of the event; `undefined` if the sender provides none. */
	readonly id: string | undefined;
	/** Products that changed. */
	readonly pids: readonly string[];
	/** The event names no products: anything may have changed. */
	readonly all: boolean;
	/** Such as `review.created`; `undefined` if the body has no type. */
	readonly type: string | undefined;
	/** When it arrived, in milliseconds since 1970. */
	readonly receivedAt: number;
}
