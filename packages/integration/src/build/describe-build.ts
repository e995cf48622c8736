import { ReviewServiceError } from '../errors.js';
import { RENDER_IN_NODE } from '../runtime/no-source.js';
import { nameProducts } from '../text/words.js';

const BUILD_AGAIN = 'Build again: what was fetched is stored, so the next build has less to fetch.';

/** The warning of a build that reached its deadline. */
export function describeDeadline(done: number, total: number | undefined): string {
	const of = total === undefined ? '' : ` of ${total.toLocaleString('en')}`;
	return `The time limit of the option "deadline" was reached after ${done.toLocaleString('en')}${of} products. The others are shown from the store. ${BUILD_AGAIN} [PR_DEADLINE_REACHED]`;
}

/** The error of every product that was not fetched before the deadline. */
export function pastDeadline(): ReviewServiceError {
	return new ReviewServiceError('the time limit of the option "deadline" was reached.', BUILD_AGAIN, {
		code: 'PR_DEADLINE_REACHED',
	});
}

/** The warning about pages without reviews because they could not reach the build. */
export function describeUnreached(pages: readonly string[]): string {
	const number = pages.length === 1 ? 'One page was' : `${pages.length.toLocaleString('en')} pages were`;
	return `${number} rendered outside the build's process and could not reach it, so they have no reviews: ${nameProducts(pages)}. ${RENDER_IN_NODE} [PR_NO_REVIEW_SOURCE]`;
}
