import type { RequestEvent } from 'product-reviews-client';
import type { RequestOptions } from 'product-reviews-client/sender';
import type { ErrorCode } from '../errors.js';
import { packContent } from '../records/packed.js';
import type { Answer, Checked, Packed, Resource } from '../records/parts.js';
import type { Ratings } from '../records/rating.js';

interface KnownOptions extends RequestOptions {
	/** `validators` of an earlier answer. If that is still current, the next one has no content. */
	readonly known?: string | undefined;
}

/** Asks a provider, the hosted service or another: throttled, tried again, within a time limit, and with checked answers. */
export interface ProviderCalls {
	reviews(pid: string, options?: KnownOptions): Promise<Answer<Checked<'reviews'> | undefined>>;
	reviewData(pid: string, options?: RequestOptions): Promise<Answer<Checked<'review-data'>>>;
	ratings(pids: readonly string[], options?: RequestOptions): Promise<Ratings>;
	/** Returns everything that one answer has. @default each part has an answer of its own */
	all?(pid: string, options?: RequestOptions): Promise<{ readonly [Of in Resource]: Answer<Checked<Of>> }>;
	/** Moves a waiting request to the front. */
	prioritize(resource: Resource, pid: string): void;
	/** Frees what was kept for further calls. @default nothing is */
	close?(): Promise<void> | undefined;
}

/** A request of one try, as logs and reports show it. */
export interface RequestFacts extends Omit<RequestEvent, 'error'> {
	/** Code of its failure; omitted if it did not fail. */
	readonly code?: ErrorCode;
}

export type Fetched = Answer<Packed | undefined>;

/** Fetches records as the cache keeps them, in this thread or in another. */
export interface ReviewFetcher {
	fetch(resource: Resource, pid: string, validators?: string): Promise<Fetched>;
	fetchRatings(pids: readonly string[]): Promise<Ratings>;
	prioritize(resource: Resource, pid: string): void;
	/** Ends all requests. Pending and later ones fail. */
	close(reason?: Error): Promise<void>;
}

/**
 * Fetches products in this thread, and packs the answers. A product that failed is requested once more after all others.
 * Among many products, one is likely to fail at every try in a row, and would otherwise fail the build.
 * @param revisionOf returns what changes with a product. A part shares the call for another part that began at the same revision.
 */
export function createReviewFetcher(
	calls: ProviderCalls,
	revisionOf: (pid: string) => number = () => 0,
): ReviewFetcher {
	const abort = new AbortController();
	const { signal } = abort;
	const options = { signal, requeue: true };
	/** Calls under way whose answers have all parts, with the parts that wait for them. */
	const shared = new Map<string, { parts: Set<Resource>; answers: ReturnType<typeof fetchAll> }>();

	const fetchAll = async (all: NonNullable<ProviderCalls['all']>, pid: string) => {
		const answers = await all(pid, options);
		const reviews = packed('reviews', answers.reviews);
		const data = packed('review-data', answers['review-data']);
		// What is lost is told once, whichever part is asked for.
		const dropped = { ...reviews.dropped, ...data.dropped };
		return {
			reviews: { ...reviews, dropped, also: { ...data, part: 'review-data' } },
			'review-data': { ...data, dropped, also: { ...reviews, part: 'reviews' } },
		} as const;
	};
	const share = (all: NonNullable<ProviderCalls['all']>, part: Resource, pid: string, known: unknown) => {
		const key = JSON.stringify([pid, revisionOf(pid), known]);
		let call = shared.get(key);
		if (!call || call.parts.has(part)) {
			const begun = { parts: new Set<Resource>(), answers: fetchAll(all, pid) };
			const forget = () => shared.get(key) === begun && shared.delete(key);
			begun.answers.then(forget, forget);
			shared.set(key, begun);
			call = begun;
		}
		call.parts.add(part);
		return call.answers;
	};

	return {
		async fetch(part, pid, known) {
			if (calls.all) return (await share(calls.all, part, pid, known))[part];
			if (part === 'review-data') return packed(part, await calls.reviewData(pid, options));
			const { content, ...answer } = await calls.reviews(pid, { ...options, known });
			return { ...answer, content: content && packContent(part, content) };
		},
		fetchRatings: (pids) => calls.ratings(pids, { signal }),
		prioritize: (resource, pid) => calls.prioritize(resource, pid),
		async close(reason = new Error('The build ended.')) {
			abort.abort(reason);
			await calls.close?.();
		},
	};
}

function packed<Of extends Resource>(part: Of, answer: Answer<Checked<Of>>): Answer<Packed> {
	return { ...answer, content: packContent(part, answer.content) };
}
