import type { Collector } from '../collect/collector.js';
import { readTiming } from '../collect/timing.js';
import { sentenceOf } from '../collect/wording.js';
import { checkNumber, WebhookError } from '../errors.js';
import { quietly } from '../quietly.js';
import { closeWithin } from './close-within.js';
import { countOutcomes } from './count-outcomes.js';
import { createSparseLog } from './create-sparse-log.js';
import { openSharedState } from './open-shared-state.js';
import { openWorker } from './open-worker.js';
import { planWaiting } from './plan-waiting.js';
import { readStatus } from './read-status.js';
import type { RedisCollectorOptions } from './redis-collector-options.js';

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
	const delay = Math.min(timing.quiet, timing.atMost);
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
