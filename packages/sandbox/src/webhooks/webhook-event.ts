/** What happened to a product. One edit is one event: a review that is created unpublished is only `review.created`. */
export type WebhookEventType =
	| 'review.created'
	| 'review.updated'
	| 'review.deleted'
	| 'review.published'
	| 'review.unpublished'
	| 'question.created'
	| 'question.answered';

/** One event about one product. It never holds anything of the review or question itself. */
export interface WebhookEvent {
	/** `webhook-id`: the same for every try and every copy. */
	readonly id: string;
	readonly type: WebhookEventType;
	readonly pid: string;
	/** When the edit was made, ISO 8601 in UTC. */
	readonly timestamp: string;
}

/** One try to send an event. */
export interface WebhookDelivery {
	/** Id of the registration that it was sent for. */
	readonly webhook: string;
	/** `webhook-id` as sent. */
	readonly event: string;
	readonly type: WebhookEventType;
	readonly pid: string;
	readonly url: string;
	/** 0 for the event itself, 1 and more for the copies that `duplicates` asks for. */
	readonly copy: number;
	/** 1 for the first try; each copy counts its own. */
	readonly attempt: number;
	/** Status of the answer; `null` where none came. */
	readonly status: number | null;
	/** Why no answer came: `time limit`, `connection`, or `ended` by `close()` or the end of the registration. */
	readonly error: 'time limit' | 'connection' | 'ended' | null;
	/** Whether it was sent with a wrong signature, as `badSignatures` asks for. */
	readonly badSignature: boolean;
	/** Milliseconds from the request to its answer. */
	readonly ms: number;
}
