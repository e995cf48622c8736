import { DelayedError, type Job } from 'bullmq';
import type { Rebuild } from '../collect/rebuild.js';
import { holdLock } from './hold-lock.js';
import type { RebuildPlan } from './rebuild-plan.js';
import type { RedisLog } from './redis-log.js';
import { type RebuildOutcome, runRebuild } from './run-rebuild.js';
import { type Timing, untilDue } from './until-due.js';

/** Options of {@link processJob}. Lengths of time are milliseconds. */
export interface ProcessJobOptions {
	readonly rebuild: Rebuild;
	readonly log: RedisLog;
	readonly plan: RebuildPlan;
	readonly timing: Timing;
	readonly lockDuration: number;
	/** The receiver ends, and the rebuild with it. */
	readonly ending: AbortSignal;
	readonly onLog: (line: string) => void;
	/** Hears how a rebuild went. `attempt` counts from 1, until one goes well. */
	readonly onOutcome: (outcome: RebuildOutcome, attempt: number) => Promise<void>;
}

/**
 * What a worker does with the job of the plan: where more came since it was planned, it is put off; else the site is
 * rebuilt. What comes meanwhile is left to the next job.
 *
 * @throws DelayedError where the job is put off, and Error where the rebuild failed: BullMQ tries it again.
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
		onLost: () => lost.abort(new Error('Redis was out of reach, so another receiver may rebuild now.')),
	});
	try {
		const waiting = await log.waiting();
		if (!waiting) return;
		const delay = untilDue(waiting, timing);
		if (delay > 0) return await putOff(delay);
		const signal = AbortSignal.any([ending, lost.signal]);
		const outcome = await runRebuild({ rebuild, log, waiting, signal, onLog });
		// Another receiver goes on at once: this one is not a failure to wait for.
		if (outcome.error !== undefined && ending.aborted) return await putOff(0);
		if (outcome.error !== undefined && lost.signal.aborted) {
			// BullMQ gives the job to the next who asks; there is no pause, and what others say of it is not overwritten.
			onLog(`The rebuild was ended: ${outcome.error}`);
			throw new Error(outcome.error);
		}
		await onOutcome(outcome, job.attemptsMade + 1);
		if (outcome.error !== undefined) throw new Error(outcome.error);
	} finally {
		release();
	}
}
