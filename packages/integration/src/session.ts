import pLimit from 'p-limit';
import type { ProductReviewData, ReviewsClient } from 'product-reviews-client';
import { ReviewsUnavailableError } from './errors.js';
import type { ProductReviewsOptions } from './options/schema.js';
import { readPayload } from './payload/read-payload.js';
import type { ProductReviews } from './payload/record.js';
import { createLoader, type LoaderContext } from './prefetch/create-loader.js';
import { nameProducts } from './prefetch/name-products.js';
import type { Failure, Tally } from './prefetch/tally.js';
import type { ReviewSource } from './runtime/sources.js';
import type { ReviewStore } from './store/review-store.js';

/** What a session works with. */
export interface SessionContext {
	readonly client: ReviewsClient;
	readonly store: ReviewStore;
	readonly options: ProductReviewsOptions;
	readonly tally: Tally;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** `'build'` ends; `'dev'` goes on, so that what failed is asked for again and nothing ends it. */
	readonly command: 'build' | 'dev';
	readonly onFailure: (failure: Failure) => void;
}

/** How long a dev server leaves a product alone that failed, in milliseconds. */
const DEV_FAILURE_MEMORY = 10_000;

/** The reviews of one build or one dev server: what pages ask, and what the prefetch fills. */
export interface ReviewSession extends ReviewSource {
	/** Makes sure that the reviews of a product are fresh in the store. */
	refresh(pid: string): Promise<void>;
	/** Products that pages asked for. */
	readonly asked: ReadonlySet<string>;
	/** Ends the session for every page that asks from now on. */
	fail(error: unknown): void;
	/** @throws ReviewsUnavailableError where `onError` asks for it, and what {@link ReviewSession.fail} was given. */
	assertWhole(): void;
}

export function createSession(context: SessionContext): ReviewSession {
	const { client, store, options, tally, now, command, onFailure } = context;
	const shared = {
		limit: pLimit(options.concurrency),
		policy: options,
		tally,
		now,
		startedAt: command === 'build' ? now() : Number.POSITIVE_INFINITY,
		failureMemory: command === 'build' ? Number.POSITIVE_INFINITY : DEV_FAILURE_MEMORY,
		onFailure,
	} satisfies Partial<LoaderContext<unknown>>;
	const reviews = createLoader<ProductReviews>({
		...shared,
		table: store.table('reviews'),
		fetchValue: async (pid) => readPayload(await client.getCrawlerReviews(pid)),
	});
	const reviewData = createLoader<ProductReviewData>({
		...shared,
		table: store.table('review-data'),
		fetchValue: (pid) => client.getProductReviewData(pid),
	});
	const asked = new Set<string>();
	let failure: { readonly error: unknown } | undefined;
	const assertGoing = () => {
		if (failure) throw failure.error;
	};

	return {
		asked,
		async getProductReviews(pid) {
			assertGoing();
			asked.add(pid);
			return reviews.load(pid);
		},
		async getReviewData(pid) {
			assertGoing();
			asked.add(pid);
			return reviewData.load(pid);
		},
		refresh: (pid) => reviews.refresh(pid),
		fail(error) {
			failure ??= { error };
		},
		assertWhole() {
			assertGoing();
			const missing = tally.failures.filter(({ stale }) => !stale);
			if (options.onError !== 'omit' && missing.length > 0) throw unavailable(missing);
		},
	};
}

/** Ids in the message of a build that fails: all of them, but for a catalogue. */
const MOST_LISTED = 1_000;

function unavailable(missing: readonly Failure[]): ReviewsUnavailableError {
	const pids = [...new Set(missing.map(({ pid }) => pid))];
	const number = pids.length === 1 ? 'one product' : `${pids.length.toLocaleString('en')} products`;
	return new ReviewsUnavailableError(
		pids,
		`The service failed for ${number}, and the store has no reviews of ${pids.length === 1 ? 'it' : 'them'}: ${nameProducts(pids, MOST_LISTED)}.\nFirst reason: ${missing[0]?.reason}`,
		'Build again when the service answers. To build without the reviews of such products, set the option "onError" of productReviews() to "omit".',
		{ cause: missing[0]?.error },
	);
}
