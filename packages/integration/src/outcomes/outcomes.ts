import type { RequestEvent } from 'product-reviews-client';
import type { ErrorCode } from '../errors/catalogue.js';
import type { DroppedParts } from '../parse/field-reader.js';
import type { Resource } from '../store/review-store.js';

/**
 * What happened for a product: `fetched`, the service sent its reviews; `unchanged`, stored reviews are current;
 * `missing`, the service has none; `stale`, the service failed and stored reviews are used; `failed`, it failed and
 * nothing is stored; `unreadable`, its answer cannot be read and nothing is stored.
 */
export type Status = 'fetched' | 'unchanged' | 'missing' | 'stale' | 'failed' | 'unreadable';

export interface Outcome {
	readonly status: Status | undefined;
	readonly reason?: string | undefined;
	readonly ms: number;
	readonly bytes: number;
}

export interface Failure {
	readonly pid: string;
	readonly reason: string;
	/** Whether stored reviews could be used instead of fresh ones. */
	readonly stale: boolean;
	readonly error: unknown;
}

/** What of one answer could not be read. */
export interface Dropped {
	readonly pid: string;
	readonly parts: DroppedParts;
}

export interface Outcomes {
	keys(): IterableIterator<string>;
	readonly size: number;
	get(pid: string): Outcome | undefined;
	isSettled(pid: string): boolean;
	readonly answers: number;
	readonly failures: readonly Failure[];
	readonly dropped: readonly Dropped[];
	addRequest(pid: string, ms: number, bytes: number): void;
	addAnswer(pid: string, dropped: DroppedParts): void;
	addFailure(failure: Failure): void;
	/** Records the outcome of a product. `unchanged` does not replace an earlier outcome. */
	settle(pid: string, status: Status, reason?: string): void;
}

function createOutcomes(): Outcomes {
	const products = new Map<string, { -readonly [Field in keyof Outcome]: Outcome[Field] }>();
	const failures: Failure[] = [];
	const dropped: Dropped[] = [];
	let answers = 0;

	const outcomeOf = (pid: string) => {
		const known = products.get(pid) ?? { status: undefined, reason: undefined, ms: 0, bytes: 0 };
		products.set(pid, known);
		return known;
	};
	return {
		keys: () => products.keys(),
		get size() {
			return products.size;
		},
		get: (pid) => products.get(pid),
		isSettled(pid) {
			const status = products.get(pid)?.status;
			return status === 'fetched' || status === 'unchanged' || status === 'missing';
		},
		get answers() {
			return answers;
		},
		failures,
		dropped,
		addRequest(pid, ms, bytes) {
			const outcome = outcomeOf(pid);
			outcome.ms += ms;
			outcome.bytes += bytes;
		},
		addAnswer(pid, parts) {
			answers += 1;
			if (Object.keys(parts).length > 0) dropped.push({ pid, parts });
		},
		addFailure: (failure) => void failures.push(failure),
		settle(pid, status, reason) {
			const outcome = outcomeOf(pid);
			if (status === 'unchanged' && outcome.status) return;
			outcome.status = status;
			if (reason !== undefined) outcome.reason = reason;
		},
	};
}

export interface RequestFacts
	extends Pick<
		RequestEvent,
		'operation' | 'method' | 'url' | 'pids' | 'attempt' | 'status' | 'bytes' | 'durationMs'
	> {
	/** Why it failed; omitted if it did not. */
	readonly code?: ErrorCode;
}

export interface RequestTotals {
	readonly total: number;
	readonly retries: number;
	readonly bytes: number;
	readonly operations: Readonly<Record<RequestFacts['operation'], number>>;
}

export interface RequestCounts {
	total(): number;
	totals(): RequestTotals;
	answeredAt(): number | undefined;
	add(facts: Pick<RequestFacts, 'operation' | 'attempt' | 'bytes'>): void;
}

export function createRequestCounts(now: () => number): RequestCounts {
	const operations = { starRating: 0, productReviewData: 0, crawlerReviews: 0 };
	let total = 0;
	let retries = 0;
	let bytes = 0;
	let answeredAt: number | undefined;
	return {
		total: () => total,
		totals: () => ({ total, retries, bytes, operations: { ...operations } }),
		answeredAt: () => answeredAt,
		add({ operation, attempt, bytes: sent }) {
			total += 1;
			operations[operation] += 1;
			if (attempt > 1) retries += 1;
			bytes += sent;
			answeredAt = now();
		},
	};
}

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

export function failuresIn(outcomes: ProductOutcomes): Failure[] {
	return NEEDED.flatMap((resource) => outcomes[resource].failures);
}

export function answersIn(outcomes: ProductOutcomes): number {
	return NEEDED.reduce((sum, resource) => sum + outcomes[resource].answers, 0);
}

/** What of the answers could not be read. */
export function droppedIn(outcomes: ProductOutcomes): Dropped[] {
	return NEEDED.flatMap((resource) => outcomes[resource].dropped);
}

export function productsIn(outcomes: ProductOutcomes): number {
	return Math.max(...NEEDED.map((resource) => outcomes[resource].size));
}
