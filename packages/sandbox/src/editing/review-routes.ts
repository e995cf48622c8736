import type { ReviewFilter } from '../database/reviews.js';
import { answer } from '../server/answer.js';
import { readJson } from '../server/read-json.js';
import type { Call, Route } from '../server/route.js';
import { InvalidInputError } from './errors.js';
import type { ReviewChanges } from './input.js';

const REVIEW = '/__sandbox/reviews/:id';

/** The sandbox's own review routes: the service's documentation mentions these operations without describing them. */
export const reviewRoutes: readonly Route[] = [
	{
		method: 'GET',
		path: '/__sandbox/reviews',
		handle: (call) => answer.json(200, { reviews: call.service.store.listReviews(filterOf(call)) }),
	},
	{
		method: 'PATCH',
		path: REVIEW,
		handle: (call) =>
			answer.json(200, call.service.store.editReview(idOf(call), readJson(call) as ReviewChanges)),
	},
	{
		method: 'POST',
		path: `${REVIEW}/publish`,
		handle: (call) => answer.json(200, call.service.store.publish(idOf(call))),
	},
	{
		method: 'POST',
		path: `${REVIEW}/unpublish`,
		handle: (call) => answer.json(200, call.service.store.unpublish(idOf(call))),
	},
	{
		method: 'DELETE',
		path: REVIEW,
		handle: (call) => {
			call.service.store.deleteReview(idOf(call));
			return answer.empty(204);
		},
	},
];

function idOf({ params }: Call): string {
	return params.id ?? '';
}

function filterOf({ query }: Call): ReviewFilter {
	const pid = query.get('pid');
	const status = query.get('status');
	if (status !== null && status !== 'published' && status !== 'unpublished') {
		throw new InvalidInputError('status: must be "published" or "unpublished"');
	}
	return { ...(pid === null ? {} : { pid }), ...(status === null ? {} : { status }) };
}
