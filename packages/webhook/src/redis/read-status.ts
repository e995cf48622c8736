import type { CollectorStatus } from '../collect/collector-options.js';
import type { RebuildPlan } from './rebuild-plan.js';
import type { RedisLog } from './redis-log.js';
import type { RebuildOutcome } from './run-rebuild.js';
import { type Timing, untilDue } from './until-due.js';

/** Names under which the log keeps what only the status shows. */
const LAST_REBUILD = 'lastRebuild';
const NOT_BEFORE = 'notBefore';

/** Keeps how a rebuild went, for every receiver's status. @param pause until it is tried again, in milliseconds. */
export async function noteOutcome(log: RedisLog, outcome: RebuildOutcome, pause: number): Promise<void> {
	const notBefore = outcome.error === undefined ? undefined : String(outcome.endedAt + pause);
	await Promise.all([
		log.remember(LAST_REBUILD, JSON.stringify(outcome)),
		log.remember(NOT_BEFORE, notBefore),
	]);
}

/**
 * What all receivers wait for and did; only the counts are those of one.
 * @throws Error where Redis cannot be reached.
 */
export async function readStatus(
	log: RedisLog,
	plan: RebuildPlan,
	timing: Timing,
	counts: CollectorStatus['counts'],
): Promise<CollectorStatus> {
	const [waiting, isRebuilding, lastRebuild, notBefore = '0'] = await Promise.all([
		log.summary(),
		plan.isActive(),
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
