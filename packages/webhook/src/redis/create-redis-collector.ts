import { setTimeout as wait } from 'node:timers/promises';
import type { Worker } from 'bullmq';
import type { RedisOptions } from 'ioredis';
import {
	type Collector,
	type CollectorOptions,
	type CollectorStatus,
	pauseAfter,
	readTiming,
	type Timing,
} from '../collect/collector.js';
import { type RebuildOutcome, seconds, sentenceOf } from '../collect/rebuild.js';
import { checkNumber, quietly, WebhookError } from '../errors.js';
import { openSharedState, type SharedState } from './open-shared-state.js';
import { openWorker, type RebuildPlan } from './open-worker.js';
import type { RedisLog, WaitingInRedis } from './redis-log.js';

/**
 * Collects changes in Redis, for several receivers behind a load balancer. A change that reaches any of them is rebuilt
 * once, by one of them, and never by two at a time. Otherwise it behaves like {@link createCollector}. If a receiver is
 * killed during a rebuild, another one repeats it. While Redis is unavailable, `add` rejects within a second.
 *
 * Durability of accepted changes depends on Redis: without `appendonly yes` they are lost if Redis is killed.
 *
 * @throws WebhookConfigurationError for an unusable connection or duration.
 * @example
 * const collector = createRedisCollector({ connection: process.env.REDIS_URL, rebuild: command('npm run build') });
 * await startReceiver({ verify: standardWebhooks(secret), collector });
 */
export function createRedisCollector(options: RedisCollectorOptions): Collector {
	const { rebuild, prefix = '{product-reviews}', lockDuration = 30_000, lookEvery = 30_000 } = options;
	const timing = readTiming(options);
	const delay = Math.min(timing.debounce, timing.maxWait);
	checkNumber('lockDuration', lockDuration, 1);
	checkNumber('lookEvery', lookEvery, 1);
	const onLog = quietly(options.onLog);
	const counts = { changes: 0, rebuilds: 0, failures: 0 };
	const ending = new AbortController();
	const onError = createErrorLog(onLog, ending.signal);
	const state = openSharedState(options.connection, prefix, onError);
	const { connections, log, patientLog, plan, watched } = state;
	const waiting = planWaiting({ state, timing, every: lookEvery, onError });
	const { worker, isRunning } = openWorker({
		connection: connections.patient,
		prefix,
		rebuild,
		log: patientLog,
		plan,
		timing,
		lockDuration,
		ending: ending.signal,
		onLog,
		onOutcome: countOutcomes({ log, timing, counts, onLog, onError }),
		// Changes that arrived during the rebuild could not plan another one, because its job still existed.
		onDone: waiting.look,
		onError,
	});

	return {
		async add(change) {
			if (connections.quick.status !== 'ready') {
				throw new WebhookError('PR_REDIS_UNREACHABLE', 'Redis cannot be reached.');
			}
			// Both are sent at once, in this order. A repeated event plans a rebuild too: the first attempt may have failed
			// between the two.
			const [isNew] = await watched(Promise.all([log.record(change), plan.ensure(delay, delay === 0)]));
			if (isNew) counts.changes += 1;
			return isNew;
		},
		async start() {
			waiting.start();
			worker.run().catch(onError);
			await connections.ready();
		},
		status: () => readStatus(log, plan, timing, counts),
		async close(patience) {
			waiting.stop();
			await closeWithin({ worker, patience, isRunning, ending });
			ending.abort();
			await plan.close().catch(() => {});
			connections.close();
		},
	};
}

/** Logs connection errors, but not too often, and none after the end. */
function createErrorLog(onLog: (line: string) => void, ending: AbortSignal): (error: unknown) => void {
	const logError = createSparseLog(onLog);
	return (error) => {
		if (!ending.aborted) logError(`Redis: ${sentenceOf(error)}`);
	};
}

/**
 * Limits how often lines are logged, and counts those left out: an unavailable server fails on every attempt.
 *
 * @param onLog called with each logged line.
 * @param pause between two lines, in milliseconds. @default 60_000
 * @param now milliseconds since 1970.
 */
function createSparseLog(
	onLog: (line: string) => void,
	pause = 60_000,
	now: () => number = Date.now,
): (line: string) => void {
	let notBefore = Number.NEGATIVE_INFINITY;
	let leftOut = 0;
	return (line) => {
		if (now() < notBefore) {
			leftOut += 1;
			return;
		}
		onLog(leftOut > 0 ? `${line} (${leftOut.toLocaleString('en')} more since this was last logged.)` : line);
		notBefore = now() + pause;
		leftOut = 0;
	};
}

/** Options of {@link countOutcomes}. */
interface CountOutcomesOptions {
	readonly log: RedisLog;
	readonly timing: Timing;
	/** Of this receiver; they are counted here. */
	readonly counts: { -readonly [Name in keyof CollectorStatus['counts']]: number };
	readonly onLog: (line: string) => void;
	/** Called with connection errors. */
	readonly onError: (error: unknown) => void;
}

/** Returns a function that counts the outcome of a rebuild, logs a failure, and notes it for the status of all receivers. */
function countOutcomes({ log, timing, counts, onLog, onError }: CountOutcomesOptions) {
	return async (outcome: RebuildOutcome, attempt: number): Promise<void> => {
		const pause = pauseAfter(timing, attempt);
		if (outcome.error === undefined) counts.rebuilds += 1;
		else {
			counts.failures += 1;
			onLog(`Rebuild failed: ${outcome.error} Retrying in ${seconds(pause)}.`);
		}
		await noteOutcome(log, outcome, pause).catch(onError);
	};
}

/** Options of {@link planWaiting}. */
interface PlanWaitingOptions {
	readonly state: SharedState;
	readonly timing: Timing;
	/** How often to look, in milliseconds. */
	readonly every: number;
	readonly onError: (error: unknown) => void;
}

/** Plans a rebuild if changes are waiting and none is planned: when asked to, now and then, and whenever Redis is back. */
function planWaiting({ state, timing, every, onError }: PlanWaitingOptions) {
	const { connections, log, plan, watched } = state;
	const { quick } = connections;
	let timer: NodeJS.Timeout | undefined;
	const look = async () => {
		const waiting = await watched(log.summary());
		if (waiting) await plan.ensure(untilDue(waiting, timing));
	};
	const lookQuietly = () => void look().catch(onError);
	const onReady = () => void Promise.all([plan.limit(), look()]).catch(onError);
	return {
		look: lookQuietly,
		start() {
			if (quick.status === 'ready') onReady();
			quick.on('ready', onReady);
			timer = setInterval(lookQuietly, every);
		},
		stop() {
			clearInterval(timer);
			quick.off('ready', onReady);
		},
	};
}

/** How long an aborted rebuild may take to end and to update Redis, in milliseconds. */
const GRACE = 15_000;

/** How long an idle worker may take to close, in milliseconds: Redis may be unavailable. */
const IDLE_GRACE = 2_000;

/** Options of {@link closeWithin}. */
interface CloseWithinOptions {
	readonly worker: Worker;
	/** How long to wait for a running rebuild, in milliseconds. */
	readonly patience: number;
	readonly isRunning: () => boolean;
	/** Ends the rebuild. */
	readonly ending: AbortController;
}

/** Closes a worker: it takes no more jobs, and a running rebuild may finish. This works even if Redis is unavailable. */
async function closeWithin({ worker, patience, isRunning, ending }: CloseWithinOptions): Promise<void> {
	const over = new AbortController();
	const lapse = async (): Promise<void> => {
		const options = { signal: over.signal };
		if (isRunning()) {
			await wait(patience, undefined, options);
			ending.abort(new Error('The receiver is shutting down.'));
			await wait(GRACE, undefined, options);
		} else await wait(IDLE_GRACE, undefined, options);
	};
	// It may already be closing, with more patience.
	await Promise.race([worker.close(), lapse().catch(() => {})]);
	over.abort();
}

/** Keys in the log for values that only the status shows. */
const LAST_REBUILD = 'lastRebuild';

const NOT_BEFORE = 'notBefore';

/** Stores the outcome of a rebuild for every receiver's status. @param pause until the next attempt, in milliseconds. */
async function noteOutcome(log: RedisLog, outcome: RebuildOutcome, pause: number): Promise<void> {
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
async function readStatus(
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

/** Options of {@link createRedisCollector}. Durations are in milliseconds. All receivers must use the same options. */
export interface RedisCollectorOptions
	extends Pick<
		CollectorOptions,
		'rebuild' | 'debounce' | 'maxWait' | 'retryAfter' | 'retryAtMost' | 'onLog'
	> {
	/** URL (`redis://` or `rediss://`; it may contain a password and is never logged), or options of ioredis. */
	readonly connection: string | RedisOptions;
	/**
	 * Prefix of every key. Receivers of one site share it; different sites need different ones. Its braces keep the keys in
	 * one slot of a cluster.
	 * @default '{product-reviews}'
	 */
	readonly prefix?: string | undefined;
	/**
	 * How long a receiver may be silent before another takes over its rebuild. A rebuild may take longer than this: the
	 * receiver reports in while it runs.
	 * @default 30_000
	 */
	readonly lockDuration?: number | undefined;
	/**
	 * How often to look for changes without a planned rebuild, which a receiver killed between the two steps leaves behind.
	 * @default 30_000
	 */
	readonly lookEvery?: number | undefined;
}

/** Time until the waiting changes are due for a rebuild, in milliseconds; 0 if they are due now. */
export function untilDue(
	{ now, firstAt, lastAt }: Pick<WaitingInRedis, 'now' | 'firstAt' | 'lastAt'>,
	{ debounce, maxWait }: Pick<Timing, 'debounce' | 'maxWait'>,
): number {
	return Math.max(0, Math.min(lastAt + debounce, firstAt + maxWait) - now);
}
