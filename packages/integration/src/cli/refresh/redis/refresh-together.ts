import { shareWithOthers } from '../../../build/share-with-others.js';
import { ProductReviewsError } from '../../../errors.js';
import { addUp, type RefreshSum } from '../add-up.js';
import { NOTHING } from '../chunk.js';
import type { RefreshContext } from '../refresh-store.js';
import { answered, connect } from './connect.js';
import type { OnChunk } from './process-run.js';
import { describeWork, openRunRecord } from './run-record.js';
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
	const redis = await connect(url);
	const shared = await shareWithOthers(context);
	const refresh = { ...context, shared };
	const record = openRunRecord(redis, context.connection.account);
	const { changed, products } = context;
	const work = describeWork({ changed, isNamed: products === changed.pids });
	let startedAt: number | undefined;
	let own: RefreshSum = { ...NOTHING, failures: 0 };
	const onChunk: OnChunk = (refreshed, isLastTry) => {
		own = addUp(own, refreshed, isLastTry);
	};
	try {
		for (;;) {
			const run = await answered(record.join(work, since, startedAt));
			const result = run.result ?? (await workOnRun(run, { redis, record, refresh, onChunk }));
			// A run with another command line comes first.
			if (run.work !== work) continue;
			if (!result) {
				// Redis has lost the run. What was fetched for it is not fetched again.
				startedAt = run.startedAt;
				continue;
			}
			if ('sum' in result) return { all: result.sum, own };
			const { code, message, hint } = result.error;
			throw new ProductReviewsError(code, message, hint);
		}
	} finally {
		await shared?.end();
		redis.disconnect();
	}
}
