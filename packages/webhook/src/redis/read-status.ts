import type { CollectorStatus } from '../collect/collector-options.js';
import type { RebuildOutcome } from '../collect/run-rebuild.js';
import type { Timing } from '../collect/timing.js';
import type { RebuildPlan } from './rebuild-plan.js';
import type { RedisLog } from './redis-log.js';
import { untilDue } from './until-due.js';

/** Keys in the log for values that only the status shows. */
const LAST_REBUILD = 'lastRebuild';
const NOT_BEFORE = 'notBefore';

/** Stores the outcome of a rebuild for every receiver's status. @param pause until the next attempt, in milliseconds. */
export async function noteOutcome(log: RedisLog, outcome: RebuildOutcome, pause: number): Promise<void> {
	const notBefore = outcome.error === undefined ? undefined : String(outcome.endedAt + pause);
	await Promise.all([
		log.remember(LAST_REBUILD, JSON.stringify(outcome)),
		log.remember(NOT_BEFORE, notBefore),
	]);
}

/**
 * Reads the status of all receivers together; only the counts are this receiver's own.
 * @throws Error if Redis cannot be reached.
 */
export async function readStatus(
	log: RedisLog,
	plan: RebuildPlan,
	timing: Timing,
	counts: CollectorStatus['counts'],
): Promise<CollectorStatus> {
	const [waiting, isRebuilding, lastRebuild, notBefore = '0'] = await Promise.all([
		log.summary(),
		plan.isRebuilding(),
		log.recall(LAST_REBUILD),
		log.recall(NOT_BEFORE),
	]);
	const due = waiting && Math.max(Date.now() + untilDue(waiting, timing), Number(notBefore));
	return {
		waiting: { products: waiting?.products ?? 0, all: waiting?.all ?? false },
		isRebuilding,
		nextRebuildAt: isRebuilding ? undefined : due,
		lastRebuild: lastRebuild === undefined ? undefined : JSON.parse(lastRebuild),
		counts: { ...counts },
	};
}
