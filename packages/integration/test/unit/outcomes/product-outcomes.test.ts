import { expect, test } from 'vitest';
import {
	answersIn,
	createProductOutcomes,
	droppedIn,
	failuresIn,
	productsIn,
} from '../../../src/outcomes/product-outcomes.js';

test('what pages need is counted together: reviews and review data, and no rating', () => {
	const outcomes = createProductOutcomes();
	const failure = (reason: string) => ({ pid: 'p-1', reason, stale: false, error: undefined });
	for (const [resource, of] of Object.entries(outcomes)) {
		of.addAnswer('p-1', { 'text-cut': 1 });
		of.addAnswer('p-2', {});
		of.addFailure(failure(resource));
	}
	for (const pid of ['p-1', 'p-2', 'p-3']) outcomes['review-data'].settle(pid, 'fetched');
	outcomes.reviews.settle('p-1', 'fetched');
	expect(answersIn(outcomes)).toBe(4);
	expect(failuresIn(outcomes)).toEqual([failure('reviews'), failure('review-data')]);
	const dropped = { pid: 'p-1', parts: { 'text-cut': 1 } };
	expect(droppedIn(outcomes)).toEqual([dropped, dropped]);
	expect(productsIn(outcomes)).toBe(3);
});
