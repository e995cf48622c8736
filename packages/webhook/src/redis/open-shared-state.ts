import { once } from 'node:events';
import { Redis, type RedisOptions } from 'ioredis';
import { WebhookConfigurationError } from '../errors.js';
import type { RedisCollectorOptions } from './create-redis-collector.js';
import { openRebuildPlan, type RebuildPlan } from './open-worker.js';
import { openRedisLog, type RedisLog } from './redis-log.js';

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

/** Options of {@link watchSilence}. */
interface WatchSilenceOptions {
	/** Longest tolerated silence, in milliseconds. */
	readonly longest: number;
	/** Called to reopen the connections. */
	readonly onSilence: () => void;
	/** Monotonic clock, in milliseconds. @default performance.now */
	readonly now?: (() => number) | undefined;
}

/**
 * Detects silently dropped connections, on which commands can go unanswered for minutes. If a command fails and nothing
 * was answered for a while, the connections are reopened.
 * @returns a function to pass each pending answer through.
 */
function watchSilence({ longest, onSilence, now = () => performance.now() }: WatchSilenceOptions) {
	let heardAt = now();
	return async <Result>(answer: Promise<Result>): Promise<Result> => {
		try {
			const result = await answer;
			heardAt = now();
			return result;
		} catch (error) {
			if (now() - heardAt > longest) {
				heardAt = now();
				onSilence();
			}
			throw error;
		}
	};
}

/** Timeout of one command while a sender waits, in milliseconds. */
const COMMAND_TIMEOUT = 800;

/** How long to wait for the first connection, in milliseconds. */
const FIRST_PATIENCE = 2_000;

/** Longest pause before reconnecting, in milliseconds. */
const LONGEST_PAUSE = 2_000;

/** Connections of one receiver. Both reconnect automatically and never give up. */
interface Connections {
	/** For senders: a command fails at once if Redis cannot be reached, and within a second if it does not answer. */
	readonly quick: Redis;
	/** For rebuilds: a command waits until Redis is back. */
	readonly patient: Redis;
	/** Waits for the first connection, but not for long: Redis may be unavailable. */
	ready(): Promise<void>;
	/** Reopens both. */
	renew(): void;
	close(): void;
}

/**
 * @param connection URL (`redis://` or `rediss://`), or options of ioredis.
 * @param onError called with each failed attempt to connect.
 * @throws WebhookConfigurationError for an invalid Redis URL, without repeating it.
 */
function connect(connection: string | RedisOptions, onError: (error: unknown) => void): Connections {
	if (typeof connection !== 'object' && !/^rediss?:$/.test(URL.parse(connection)?.protocol ?? '')) {
		throw new WebhookConfigurationError(
			'The Redis URL is missing or is not of the form redis://user:password@host:6379.',
		);
	}
	const open = (options: RedisOptions) => {
		const all = { ...options, retryStrategy: (times: number) => Math.min(times * 100, LONGEST_PAUSE) };
		const client =
			typeof connection === 'string' ? new Redis(connection, all) : new Redis({ ...connection, ...all });
		return client.on('error', onError);
	};
	const quick = open({
		enableOfflineQueue: false,
		// Unanswered commands fail with the connection, so that the sender gets an error and sends the event again.
		autoResendUnfulfilledCommands: false,
		maxRetriesPerRequest: 0,
		commandTimeout: COMMAND_TIMEOUT,
	});
	// BullMQ requires unlimited retries.
	const patient = open({ maxRetriesPerRequest: null });
	return {
		quick,
		patient,
		async ready() {
			if (quick.status === 'ready') return;
			await once(quick, 'ready', { signal: AbortSignal.timeout(FIRST_PATIENCE) }).catch(() => {});
		},
		renew() {
			for (const client of [quick, patient]) if (client.status === 'ready') client.disconnect(true);
		},
		close() {
			quick.disconnect();
			patient.disconnect();
		},
	};
}
