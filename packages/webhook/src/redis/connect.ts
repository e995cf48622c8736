import { once } from 'node:events';
import { Redis, type RedisOptions } from 'ioredis';
import { WebhookConfigurationError } from '../errors.js';

/** Longest time for one command while a sender waits, in milliseconds. */
const COMMAND_TIMEOUT = 800;
/** Longest time for the first connection, in milliseconds. */
const FIRST_PATIENCE = 2_000;
/** Longest pause before a connection is tried again, in milliseconds. */
const LONGEST_PAUSE = 2_000;

/** Connections of one receiver. Both connect again by themselves, for ever. */
export interface Connections {
	/** For senders: a command fails at once where Redis cannot be reached, and within a second where it does not answer. */
	readonly quick: Redis;
	/** For rebuilds: a command waits until Redis is back. */
	readonly patient: Redis;
	/** Waits for the first connection, and not for long: Redis may be away. */
	ready(): Promise<void>;
	/** Opens both anew. */
	renew(): void;
	close(): void;
}

/**
 * @param connection address (`redis://` or `rediss://`), or options of ioredis.
 * @param onError hears of each failed try to connect.
 * @throws WebhookConfigurationError for what is no address of Redis; it does not repeat it.
 */
export function connect(connection: string | RedisOptions, onError: (error: unknown) => void): Connections {
	if (typeof connection !== 'object' && !/^rediss?:$/.test(URL.parse(connection)?.protocol ?? '')) {
		throw new WebhookConfigurationError(
			'The address of Redis is missing, or is not of the form redis://user:password@host:6379.',
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
		// What was sent and not answered fails with the connection: the sender is told, and sends it again.
		autoResendUnfulfilledCommands: false,
		maxRetriesPerRequest: 0,
		commandTimeout: COMMAND_TIMEOUT,
	});
	// BullMQ asks for commands without a limit.
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
