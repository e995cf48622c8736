import { DelayedError, type Job } from 'bullmq';
import type { Rebuild } from '../collect/rebuild.js';
import { type RebuildOutcome, runRebuild } from '../collect/run-rebuild.js';
import type { Timing } from '../collect/timing.js';
import { holdLock } from './hold-lock.js';
import { REBUILDING, type RebuildPlan } from './rebuild-plan.js';
import type { RedisLog } from './redis-log.js';
import { untilDue } from './until-due.js';

/** Options of {@link processJob}. Durations are in milliseconds. */
export interface ProcessJobOptions {
	readonly rebuild: Rebuild;
	readonly log: RedisLog;
	readonly plan: RebuildPlan;
	readonly timing: Timing;
	readonly lockDuration: number;
	/** Aborted when the receiver shuts down; this ends the rebuild. */
	readonly ending: AbortSignal;
	readonly onLog: (line: string) => void;
	/** Called with the outcome of a rebuild. `attempt` counts from 1 until one succeeds. */
	readonly onOutcome: (outcome: RebuildOutcome, attempt: number) => Promise<void>;
}

/**
 * Processes the plan's job. If more changes have arrived since it was planned, the job is postponed; otherwise the site is
 * rebuilt. Changes that arrive during the rebuild are left to the next job.
 *
 * @throws DelayedError if the job is postponed, and Error if the rebuild failed: BullMQ retries it.
 */
export async function processJob(job: Job, token: string, options: ProcessJobOptions): Promise<void> {
	const { rebuild, log, plan, timing, lockDuration, ending, onLog, onOutcome } = options;
	const putOff = async (delay: number): Promise<never> => {
		await job.moveToDelayed(Date.now() + delay, token);
		throw new DelayedError();
	};
	const lost = new AbortController();
	const release = holdLock({
		renew: () => plan.renewLock(job, token, lockDuration),
		duration: lockDuration,
		onLost: () => lost.abort(new Error('Redis could not be reached, so another receiver may take over.')),
	});
	try {
		const waiting = await log.waiting();
		if (!waiting) return;
		const delay = untilDue(waiting, timing);
		if (delay > 0) return await putOff(delay);
		await job.updateProgress(REBUILDING);
		const signal = AbortSignal.any([ending, lost.signal]);
		const outcome = await runRebuild({ rebuild, log, waiting, readAt: waiting.now, signal, onLog });
		// Shutting down is not a failure: another receiver should continue at once.
		if (outcome.error !== undefined && ending.aborted) return await putOff(0);
		if (outcome.error !== undefined && lost.signal.aborted) {
			// BullMQ hands the job to the next worker without a pause. Skipping onOutcome keeps that worker's outcome intact.
			onLog(`The rebuild was ended: ${outcome.error}`);
			throw new Error(outcome.error);
		}
		await onOutcome(outcome, job.attemptsMade + 1);
		if (outcome.error !== undefined) throw new Error(outcome.error);
	} finally {
		release();
	}
}
