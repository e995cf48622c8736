import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { type Change, type ChangeLog, type Hold, mergeChanges } from '../change-log.js';
import { checkNumber, WebhookConfigurationError, WebhookError } from '../errors.js';

/** Receivers of one site must use the same options. */
export interface RedisLogOptions {
	/** Prefix of every key. Its braces keep the keys in one slot of a cluster. @default '{product-reviews}' */
	readonly prefix?: string | undefined;
	/** Time a receiver may be silent before another takes over its rebuild, in milliseconds. @default 20_000 */
	readonly lockDuration?: number | undefined;
}

/**
 * Holds changes in Redis, for several receivers behind a load balancer: what reaches any of them is rebuilt by one of them,
 * and never by two at a time. While Redis is unavailable, changes are rejected within a second.
 *
 * Accepted changes outlast a Redis that is killed if it has `appendonly yes`, the last of them with `appendfsync always`.
 *
 * @param url `redis://` or `rediss://`; it may contain a password and is never logged.
 * @throws WebhookConfigurationError for an unusable URL or duration.
 * @example
 * const log = openRedisLog(process.env.REDIS_URL);
 * await startReceiver({ verify: standardWebhooks(secret), log, rebuild: command('npm run build') });
 */
export function openRedisLog(url: string | undefined, options: RedisLogOptions = {}): ChangeLog {
	const { prefix = '{product-reviews}', lockDuration = 20_000 } = options;
	checkNumber('lockDuration', lockDuration, 1);
	if (!url || !/^rediss?:$/.test(URL.parse(url)?.protocol ?? '')) {
		throw new WebhookConfigurationError(
			'The Redis URL is missing or is not of the form redis://user:password@host:6379.',
		);
	}
	const client = new Redis(url, {
		// A sender waits for the command.
		commandTimeout: 800,
		socketTimeout: 3_000,
		// Unanswered commands fail with the connection, so that the sender gets an error and sends the event again.
		maxRetriesPerRequest: 0,
		autoResendUnfulfilledCommands: false,
		retryStrategy: (times) => Math.min(times * 100, 2_000),
	});
	/** Says more about an outage than the errors of commands. */
	let connectionError: Error | undefined;
	client.on('error', (error: Error) => {
		connectionError = error;
	});
	client.on('ready', () => {
		connectionError = undefined;
	});

	async function answerOf<Result>(command: Promise<Result>): Promise<Result> {
		try {
			return await command;
		} catch (error) {
			const { message } = connectionError ?? (error as Error);
			throw new WebhookError('PR_REDIS_UNREACHABLE', `Redis cannot be used: ${message}.`, { cause: error });
		}
	}

	/** A stream, to which Redis adds times and ids. */
	const changes = `${prefix}:changes`;
	return {
		async record({ pids, all }) {
			await answerOf(client.xadd(changes, '*', 'change', JSON.stringify({ pids, all })));
		},
		async waiting() {
			const [[seconds, microseconds], entries] = await answerOf(
				Promise.all([client.time(), client.xrange(changes, '-', '+')]),
			);
			// The clocks of receivers may differ from that of Redis.
			const ahead = Number(seconds) * 1_000 + Number(microseconds) / 1_000 - Date.now();
			return mergeChanges(
				entries.map(([position, [, change = '']]) => {
					const receivedAt = Math.floor(Number(position.split('-')[0]) - ahead);
					return { ...(JSON.parse(change) as Pick<Change, 'pids' | 'all'>), receivedAt, position };
				}),
			);
		},
		async settle(upTo) {
			const [time, sequence] = String(upTo).split('-');
			// Everything before the entry that would follow.
			await answerOf(client.xtrim(changes, 'MINID', `${time}-${Number(sequence) + 1}`));
		},
		hold: () => answerOf(lock(client, `${prefix}:lock`, lockDuration)),
		async close() {
			client.disconnect();
		},
	};
}

/**
 * Locks a key that expires, and renews it. Without an answer, the lock counts as lost before it expires in Redis, so that a
 * receiver that is cut off stops before another one starts.
 */
async function lock(client: Redis, key: string, duration: number): Promise<Hold | undefined> {
	const token = randomUUID();
	const margin = duration / 4;
	const lockedAt = performance.now();
	if ((await client.set(key, token, 'PX', duration, 'NX')) === null) return undefined;
	let safeUntil = lockedAt + duration - margin;
	const lost = new AbortController();
	const timer = setInterval(async () => {
		const askedAt = performance.now();
		try {
			if (askedAt < safeUntil && (await client.get(key)) === token) {
				await client.pexpire(key, duration);
				safeUntil = askedAt + duration - margin;
				return;
			}
		} catch {
			// While Redis is unavailable, it is asked again until the lock is no longer safe.
			if (performance.now() < safeUntil) return;
		}
		clearInterval(timer);
		lost.abort(new Error('Redis could not be reached, so another receiver may take over.'));
	}, margin);
	return {
		lost: lost.signal,
		async release() {
			clearInterval(timer);
			// A lock that may have expired may be that of another receiver.
			if (!lost.signal.aborted && performance.now() < safeUntil) await client.del(key);
		},
	};
}
