import { createHash } from 'node:crypto';
import { shareWithOthers } from 'astro-product-reviews/internal/build';
import { ProductReviewsError } from 'astro-product-reviews/internal/errors';
import { addUp, type RefreshSum } from '../add-up.js';
import { NOTHING } from '../chunk.js';
import type { RefreshContext } from '../refresh-store.js';
import { answered, connect } from './connect.js';
import type { OnChunk } from './process-run.js';
import { openRunRecord } from './run-record.js';
import { workOnRun } from './work-on-run.js';

/** What a worker refreshes with others. */
export interface TogetherContext extends RefreshContext {
	/** URL of Redis; it may contain a password. */
	readonly redis: string;
	/** When this process was started, in milliseconds since 1970. */
	readonly since: number;
}

/** What a run did. */
export interface RefreshedTogether {
	/** By all workers. */
	readonly all: RefreshSum;
	/** By this one. */
	readonly own: RefreshSum;
}

/**
 * Refreshes the store with other workers that were started with the same command line: each product once, by one of them.
 * The chunk of a worker that dies is taken over. Resolves when the whole run is over, for all workers with the same result.
 * @throws CommandError if Redis cannot be used, and ProductReviewsError if the product list cannot be read.
 */
export async function refreshTogether({
	redis: url,
	since,
	...context
}: TogetherContext): Promise<RefreshedTogether> {
	const shared = await shareWithOthers(context);
	const redis = await connect(url);
	const record = openRunRecord(redis, context.connection.account);
	const refresh = { ...context, shared };
	const work = workOf(refresh);
	let own: RefreshSum = { ...NOTHING, failures: 0 };
	const onChunk: OnChunk = (refreshed, isLastTry) => {
		own = addUp(own, refreshed, isLastTry);
	};
	try {
		for (;;) {
			const run = await answered(record.join(work, since));
			const result = run.result ?? (await workOnRun(run, { redis, record, refresh, onChunk }));
			// Redis has lost the run, or it was one with another command line, which comes first.
			if (!result || run.work !== work) continue;
			if ('sum' in result) return { all: result.sum, own };
			const { code, message, hint } = result.error;
			throw new ProductReviewsError(code, message, hint);
		}
	} finally {
		await shared?.end();
		redis.disconnect();
	}
}

/** Names what the command line asks for. Products that are named are both the list and what changed. */
function workOf({ changed, products }: RefreshContext): string {
	const isNamed = products === changed.pids;
	return createHash('sha256')
		.update(JSON.stringify([changed, isNamed]))
		.digest('hex');
}
