import { once } from 'node:events';
import { Redis, type RedisOptions } from 'ioredis';
import { WebhookConfigurationError } from '../errors.js';

/** Timeout of one command while a sender waits, in milliseconds. */
const COMMAND_TIMEOUT = 800;
/** How long to wait for the first connection, in milliseconds. */
const FIRST_PATIENCE = 2_000;
/** Longest pause before reconnecting, in milliseconds. */
const LONGEST_PAUSE = 2_000;

/** Connections of one receiver. Both reconnect automatically and never give up. */
export interface Connections {
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
export function connect(connection: string | RedisOptions, onError: (error: unknown) => void): Connections {
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
