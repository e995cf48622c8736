import type { RequestFacts } from '../providers/review-fetcher.js';
import type { DroppedParts } from '../records/field-reader.js';
import { type Part, RESOURCES } from '../records/parts.js';

/**
 * Outcome for a product: `fetched`, the service sent its reviews; `unchanged`, stored reviews are current;
 * `missing`, the service has none; `stale`, the service failed and stored reviews are used; `failed`, it failed and
 * nothing is stored; `unreadable`, its answer cannot be read and nothing is cached.
 */
export type Status = 'fetched' | 'unchanged' | 'missing' | 'stale' | 'failed' | 'unreadable';

export interface ProductResult {
	readonly status: Status | undefined;
	readonly reason?: string | undefined;
	readonly ms: number;
	readonly bytes: number;
}

export interface Failure {
	readonly pid: string;
	readonly reason: string;
	/** `true` if stored reviews could be used instead of fresh ones. */
	readonly stale: boolean;
	readonly error: unknown;
}

/** Says what to check if the service refuses products. */
export type Advise = (failures: readonly Pick<Failure, 'pid' | 'error'>[]) => string | undefined;

/** Parts of one answer that could not be read. */
export interface Dropped {
	readonly pid: string;
	readonly parts: DroppedParts;
}

/** Outcomes for the products of one resource, in one build or dev server; in the order in which they became known. */
export class Results extends Map<string, { -readonly [Field in keyof ProductResult]: ProductResult[Field] }> {
	failures: Failure[] = [];
	dropped: Dropped[] = [];
	/** Number of answers of the service that could be used. */
	answers = 0;

	/** Returns whether the cache is known to have what a build shows of a product. */
	isSettled(pid: string): boolean {
		const status = this.get(pid)?.status;
		return status === 'fetched' || status === 'unchanged' || status === 'missing';
	}

	addRequest(pid: string, ms: number, bytes: number): void {
		const outcome = this.#outcomeOf(pid);
		outcome.ms += ms;
		outcome.bytes += bytes;
	}

	addAnswer(pid: string, parts: DroppedParts): void {
		this.answers += 1;
		if (Object.keys(parts).length > 0) this.dropped.push({ pid, parts });
	}

	/** Records the outcome of a product. `unchanged` does not replace an earlier outcome. */
	settle(pid: string, status: Status, reason?: string): void {
		const outcome = this.#outcomeOf(pid);
		if (status === 'unchanged' && outcome.status) return;
		outcome.status = status;
		if (reason !== undefined) outcome.reason = reason;
	}

	/** Forgets products that nobody asked for. */
	keepOnly(asked: ReadonlySet<string>): void {
		for (const pid of this.keys()) if (!asked.has(pid)) this.delete(pid);
		this.failures = this.failures.filter(({ pid }) => asked.has(pid));
		this.dropped = this.dropped.filter(({ pid }) => asked.has(pid));
	}

	#outcomeOf(pid: string) {
		const known = this.get(pid) ?? { status: undefined, reason: undefined, ms: 0, bytes: 0 };
		this.set(pid, known);
		return known;
	}
}

/** Counts requests, including retries. */
export class RequestCounts {
	/** Time when the last one ended, in milliseconds since 1970. */
	answeredAt: number | undefined;
	readonly totals = {
		total: 0,
		retries: 0,
		bytes: 0,
		operations: { starRating: 0, productReviewData: 0, crawlerReviews: 0 },
	};

	add({ operation, attempt, bytes }: Pick<RequestFacts, 'operation' | 'attempt' | 'bytes'>): void {
		this.totals.total += 1;
		this.totals.operations[operation] += 1;
		if (attempt > 1) this.totals.retries += 1;
		this.totals.bytes += bytes;
		this.answeredAt = Date.now();
	}
}

export type ProductResults = Readonly<Record<Part, Results>>;

export function createProductResults(): ProductResults {
	return { reviews: new Results(), 'review-data': new Results(), rating: new Results() };
}

/** Adds a request to the products that it is about. One for the ratings of many products is of no single one. */
export function addRequest(
	outcomes: ProductResults,
	{ operation, pids, durationMs, bytes }: Pick<RequestFacts, 'operation' | 'pids' | 'durationMs' | 'bytes'>,
): void {
	if (operation === 'starRating') return;
	const resource = operation === 'crawlerReviews' ? 'reviews' : 'review-data';
	for (const pid of pids) outcomes[resource].addRequest(pid, durationMs, bytes);
}

// Ratings that are requested in lists do not count: a page is complete without them.

export function failuresIn(outcomes: ProductResults): Failure[] {
	return RESOURCES.flatMap((resource) => outcomes[resource].failures);
}

export function answersIn(outcomes: ProductResults): number {
	return RESOURCES.reduce((sum, resource) => sum + outcomes[resource].answers, 0);
}

/** Lists what of the answers could not be read. */
export function droppedIn(outcomes: ProductResults): Dropped[] {
	return RESOURCES.flatMap((resource) => outcomes[resource].dropped);
}

export function productsIn(outcomes: ProductResults): number {
	return Math.max(...RESOURCES.map((resource) => outcomes[resource].size));
}
