import type { ReviewStore } from '../store.js';
import type { WebhookEventType } from './webhook-event.js';

/**
 * Wraps a store so that it announces each edit. Each edit causes one event, named after the call: creating an unpublished
 * review is `review.created`, an edit that changes the status is `review.updated`, and adding a question with its answer
 * is `question.answered`.
 *
 * @param announce Called for each product that the edit concerns. Must not throw.
 */
export function announceEdits(
	store: ReviewStore,
	announce: (type: WebhookEventType, pid: string) => void,
): ReviewStore {
	const announced = <Edited extends { readonly pid: string }>(
		type: WebhookEventType,
		edited: Edited,
	): Edited => {
		announce(type, edited.pid);
		return edited;
	};
	return {
		...store,
		createReview: (pid, review) => announced('review.created', store.createReview(pid, review)),
		editReview: (id, changes) => announced('review.updated', store.editReview(id, changes)),
		publish: (id) => announced('review.published', store.publish(id)),
		unpublish: (id) => announced('review.unpublished', store.unpublish(id)),
		deleteReview: (id) => announced('review.deleted', store.deleteReview(id)),
		addQuestion(pid, question) {
			const added = store.addQuestion(pid, question);
			const type = added.answeredAt === null ? 'question.created' : 'question.answered';
			for (const about of new Set(added.pids)) announce(type, about);
			return added;
		},
	};
}
