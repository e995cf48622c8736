/** Type of an event. Each edit is one event: creating an unpublished review is only `review.created`. */
export type WebhookEventType =
	| 'review.created'
	| 'review.updated'
	| 'review.deleted'
	| 'review.published'
	| 'review.unpublished'
	| 'question.created'
	| 'question.answered';

/** One event about one product. It never contains anything from the review or question itself. */
export interface WebhookEvent {
	/** `webhook-id`: the same for every attempt and every copy. */
	readonly id: string;
	readonly type: WebhookEventType;
	readonly pid: string;
	/** When the edit was made, ISO 8601 in UTC. */
	readonly timestamp: string;
}

/** One attempt to send an event. */
export interface WebhookDelivery {
	/** Id of the registration that it was sent for. */
	readonly webhook: string;
	/** `webhook-id` as sent. */
	readonly event: string;
	readonly type: WebhookEventType;
	readonly pid: string;
	readonly url: string;
	/** 0 for the event itself, 1 and up for the copies requested with `duplicates`. */
	readonly copy: number;
	/** 1 for the first attempt; each copy is counted separately. */
	readonly attempt: number;
	/** Status of the response; `null` if there was none. */
	readonly status: number | null;
	/** Why there was no response: `time limit`, `connection`, or `ended` by `close()` or the end of the registration. */
	readonly error: 'time limit' | 'connection' | 'ended' | null;
	/** Whether it was sent with a wrong signature, because of `badSignatures`. */
	readonly badSignature: boolean;
	/** Milliseconds from the request to its response. */
	readonly ms: number;
}
