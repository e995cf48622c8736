import { type Connections, connect } from './connect.js';
import { openRebuildPlan, type RebuildPlan } from './rebuild-plan.js';
import type { RedisCollectorOptions } from './redis-collector-options.js';
import { openRedisLog, type RedisLog } from './redis-log.js';
import { watchSilence } from './watch-silence.js';

/** Connections count as lost after this long without an answer, in milliseconds. */
const LONGEST_SILENCE = 3_000;

/** What the receivers of a site share, as one of them reaches it. */
export interface SharedState {
	readonly connections: Connections;
	/** Fails at once if Redis cannot be reached. */
	readonly log: RedisLog;
	/** Waits until Redis is back. */
	readonly patientLog: RedisLog;
	readonly plan: RebuildPlan;
	/** Passes an answer through, and reopens the connections if nothing was answered for a while. */
	readonly watched: <Result>(answer: Promise<Result>) => Promise<Result>;
}

/**
 * @param onError called with connection errors.
 * @throws WebhookConfigurationError for an invalid Redis URL, without repeating it.
 */
export function openSharedState(
	connection: RedisCollectorOptions['connection'],
	prefix: string,
	onError: (error: unknown) => void,
): SharedState {
	const connections = connect(connection, onError);
	const { quick, patient, renew } = connections;
	return {
		connections,
		log: openRedisLog(quick, prefix),
		patientLog: openRedisLog(patient, prefix),
		plan: openRebuildPlan(quick, prefix, onError),
		watched: watchSilence({ longest: LONGEST_SILENCE, onSilence: renew }),
	};
}
