import type { Job } from 'bullmq';
import type { Collector } from '../collect/create-collector.js';
import { seconds, sentenceOf } from '../collect/wording.js';
import { checkNumber } from '../errors.js';
import { quietly } from '../quietly.js';
import { closeWithin } from './close-within.js';
import { connect } from './connect.js';
import { createSparseLog } from './create-sparse-log.js';
import { openWorker } from './open-worker.js';
import { processJob } from './process-job.js';
import { noteOutcome, readStatus } from './read-status.js';
import { openRebuildPlan } from './rebuild-plan.js';
import type { RedisCollectorOptions } from './redis-collector-options.js';
import { openRedisLog } from './redis-log.js';
import type { RebuildOutcome } from './run-rebuild.js';
import { untilDue } from './until-due.js';
import { watchSilence } from './watch-silence.js';

/** Connections count as lost after this long without an answer, in milliseconds. */
const LONGEST_SILENCE = 3_000;

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
	const { quiet = 30_000, atMost = 300_000, retryAfter = 10_000, retryAtMost = 600_000 } = options;
	for (const [name, value] of Object.entries({ quiet, atMost, retryAfter, retryAtMost })) {
		checkNumber(name, value, 0);
	}
	checkNumber('lockDuration', lockDuration, 1);
	checkNumber('lookEvery', lookEvery, 1);
	const onLog = quietly(options.onLog);
	const timing = { quiet, atMost };
	const counts = { changes: 0, rebuilds: 0, failures: 0 };
	const ending = new AbortController();
	let isRunning = false;
	let lookTimer: NodeJS.Timeout | undefined;
	const logError = createSparseLog(onLog);
	const onError = (error: unknown) => {
		if (!ending.signal.aborted) logError(`Redis: ${sentenceOf(error)}`);
	};
	const connections = connect(options.connection, onError);
	const { quick, patient } = connections;
	const watched = watchSilence({ longest: LONGEST_SILENCE, onSilence: connections.renew });
	const log = openRedisLog(quick, prefix);
	const patientLog = openRedisLog(patient, prefix);
	const plan = openRebuildPlan(quick, prefix, onError);

	const pauseAfter = (attempt: number) => Math.min(retryAfter * 2 ** (attempt - 1), retryAtMost);
	const onOutcome = async (outcome: RebuildOutcome, attempt: number) => {
		const pause = pauseAfter(attempt);
		if (outcome.error === undefined) counts.rebuilds += 1;
		else {
			counts.failures += 1;
			onLog(`Rebuild failed: ${outcome.error} Retrying in ${seconds(pause)}.`);
		}
		await noteOutcome(log, outcome, pause).catch(onError);
	};
	/** Plans a rebuild if changes are waiting and none is planned. */
	const look = async () => {
		const waiting = await watched(log.summary());
		if (waiting) await plan.ensure(untilDue(waiting, timing));
	};
	const onReady = () => void Promise.all([plan.limit(), look()]).catch(onError);

	const process = async (job: Job, token: string) => {
		isRunning = true;
		const shared = { rebuild, log: patientLog, plan, timing, lockDuration, onLog, onOutcome };
		await processJob(job, token, { ...shared, ending: ending.signal }).finally(() => {
			isRunning = false;
		});
	};
	// Changes that arrived during the rebuild could not plan another one, because its job still existed.
	const onDone = () => void look().catch(onError);
	const worker = openWorker({
		connection: patient,
		prefix,
		process,
		lockDuration,
		pauseAfter,
		onDone,
		onError,
	});

	return {
		async add(change) {
			if (quick.status !== 'ready') throw new Error('Redis cannot be reached.');
			// Both are sent at once, in this order. A repeated event plans a rebuild too: the first attempt may have failed
			// between the two.
			const sent = Promise.all([log.record(change), plan.ensure(Math.min(quiet, atMost))]);
			const [isNew] = await watched(sent);
			if (isNew) counts.changes += 1;
			return isNew;
		},
		async start() {
			if (quick.status === 'ready') onReady();
			quick.on('ready', onReady);
			lookTimer = setInterval(() => void look().catch(onError), lookEvery);
			worker.run().catch(onError);
			await connections.ready();
		},
		status: () => readStatus(log, plan, timing, counts),
		async close(patience) {
			clearInterval(lookTimer);
			quick.off('ready', onReady);
			await closeWithin({ worker, patience, isRunning: () => isRunning, ending });
			ending.abort();
			await plan.close().catch(() => {});
			connections.close();
		},
	};
}
