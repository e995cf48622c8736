import type { ReviewStore } from '../store.js';
import type { WebhookEventType } from './webhook-event.js';

/**
 * A store that announces each edit once it is made. An edit is one event, named after what was asked for: a review that
 * is created unpublished is `review.created`, a change of its status among others is `review.updated`, and a question
 * that comes with its answer is `question.answered`.
 *
 * @param announce Is called for each product that the edit concerns, and must not throw.
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
