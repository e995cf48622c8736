import type { Resource } from '../store/review-store.js';
import { createOutcomes, type Dropped, type Failure, type Outcomes } from './create-outcomes.js';
import type { RequestFacts } from './create-request-counts.js';

/** What became of the products of one build or dev server, by what was requested of them. */
export type ProductOutcomes = Readonly<Record<Resource | 'rating', Outcomes>>;

export function createProductOutcomes(): ProductOutcomes {
	return { reviews: createOutcomes(), 'review-data': createOutcomes(), rating: createOutcomes() };
}

/** Adds a request to the products that it is about. One for the ratings of many products is of no single one. */
export function addRequest(
	outcomes: ProductOutcomes,
	{ operation, pids, durationMs, bytes }: Pick<RequestFacts, 'operation' | 'pids' | 'durationMs' | 'bytes'>,
): void {
	if (operation === 'starRating') return;
	const resource = operation === 'crawlerReviews' ? 'reviews' : 'review-data';
	for (const pid of pids) outcomes[resource].addRequest(pid, durationMs, bytes);
}

/** What pages need. Ratings that are requested in lists are not among it: a page is complete without them. */
const NEEDED = ['reviews', 'review-data'] as const satisfies readonly Resource[];

/** Failures of what pages need. */
export function failuresIn(outcomes: ProductOutcomes): Failure[] {
	return NEEDED.flatMap((resource) => outcomes[resource].failures);
}

/** How many answers of the service could be used. */
export function answersIn(outcomes: ProductOutcomes): number {
	return NEEDED.reduce((sum, resource) => sum + outcomes[resource].answers, 0);
}

/** What of the answers could not be read. */
export function droppedIn(outcomes: ProductOutcomes): Dropped[] {
	return NEEDED.flatMap((resource) => outcomes[resource].dropped);
}

/** How many products a build or dev server has. */
export function productsIn(outcomes: ProductOutcomes): number {
	return Math.max(...NEEDED.map((resource) => outcomes[resource].size));
}
