import { randomUUID } from 'node:crypto';
import { Redis, type RedisOptions } from 'ioredis';
import { type Change, type ChangeLog, type Hold, mergeChanges, type WaitingChanges } from '../change-log.js';
import { checkNumber, WebhookConfigurationError, WebhookError } from '../errors.js';
import { messages } from '../messages.js';

/** Options of {@link openRedisLog}. Receivers of one site must use the same. */
export interface RedisLogOptions {
	/**
	 * Prefix of every key. Receivers of one site share it; different sites need different ones. Its braces keep the keys in
	 * one slot of a cluster.
	 * @default '{product-reviews}'
	 */
	readonly prefix?: string | undefined;
	/**
	 * How long a receiver may be silent before another takes over its rebuild, in milliseconds. A rebuild may take longer
	 * than this: the receiver reports in while it runs.
	 * @default 20_000
	 */
	readonly lockDuration?: number | undefined;
}

/** How long ids of events are kept, in milliseconds: twice as long as a signed request is valid. */
const EVENTS_KEPT = 1_200_000;

/** Time limit of one command while a sender waits, in milliseconds. */
const COMMAND_TIMEOUT = 800;

/** Connections count as lost after this long without an answer, in milliseconds. */
const SOCKET_TIMEOUT = 3_000;

/** Longest pause before reconnecting, in milliseconds. */
const MAX_RECONNECT_PAUSE = 2_000;

/**
 * Holds changes in Redis, for several receivers behind a load balancer: what reaches any of them is rebuilt by one of them,
 * and never by two at a time. While Redis is unavailable, changes are rejected within a second.
 *
 * Durability of accepted changes depends on Redis: without `appendonly yes` they are lost if Redis is killed.
 *
 * @param connection URL (`redis://` or `rediss://`; it may contain a password and is never logged), or options of ioredis.
 * @throws WebhookConfigurationError for an unusable connection or duration.
 * @example
 * const log = openRedisLog(process.env.REDIS_URL);
 * await startReceiver({ verify: standardWebhooks(secret), log, rebuild: command('npm run build') });
 */
export function openRedisLog(
	connection: string | RedisOptions | undefined,
	options: RedisLogOptions = {},
): ChangeLog {
	const { prefix = '{product-reviews}', lockDuration = 20_000 } = options;
	checkNumber('lockDuration', lockDuration, 1);
	if (typeof connection !== 'object' && !/^rediss?:$/.test(URL.parse(connection ?? '')?.protocol ?? '')) {
		throw new WebhookConfigurationError(messages.redisUrl);
	}
	const settings: RedisOptions = {
		commandTimeout: COMMAND_TIMEOUT,
		socketTimeout: SOCKET_TIMEOUT,
		// Unanswered commands fail with the connection, so that the sender gets an error and sends the event again.
		maxRetriesPerRequest: 0,
		autoResendUnfulfilledCommands: false,
		retryStrategy: (times) => Math.min(times * 100, MAX_RECONNECT_PAUSE),
	};
	const client =
		typeof connection === 'object'
			? new Redis({ ...connection, ...settings })
			: new Redis(String(connection), settings);
	return new RedisLog(client, prefix, lockDuration);
}

/** The changes are a stream, to which Redis adds times and ids. */
class RedisLog implements ChangeLog {
	readonly #client: Redis;
	readonly #prefix: string;
	readonly #lockDuration: number;
	/** Says more about an outage than the errors of commands. */
	#connectionError: Error | undefined;

	constructor(client: Redis, prefix: string, lockDuration: number) {
		this.#client = client;
		this.#prefix = prefix;
		this.#lockDuration = lockDuration;
		client.on('error', (error: Error) => {
			this.#connectionError = error;
		});
		client.on('ready', () => {
			this.#connectionError = undefined;
		});
	}

	async record({ id, pids, all }: Change): Promise<boolean> {
		const event = `${this.#prefix}:event:${id}`;
		return this.#use(async (client) => {
			if (id !== undefined && (await client.exists(event)) > 0) return false;
			// Together, so that an event is known only if its change is recorded.
			const adding = client.multi().xadd(this.#changes, '*', 'change', JSON.stringify({ pids, all }));
			if (id !== undefined) adding.set(event, 1, 'PX', EVENTS_KEPT);
			await resultsOf(adding);
			return true;
		});
	}

	async waiting(): Promise<WaitingChanges | undefined> {
		const [time, entries] = (await this.#use((client) =>
			resultsOf(client.multi().time().xrange(this.#changes, '-', '+')),
		)) as [[string, string], [string, string[]][]];
		// The clocks of receivers may differ from that of Redis.
		const ahead = Number(time[0]) * 1_000 + Number(time[1]) / 1_000 - Date.now();
		return mergeChanges(
			entries.map(([position, [, change = '']]) => {
				const receivedAt = Math.floor(Number(position.split('-')[0]) - ahead);
				return { ...(JSON.parse(change) as Pick<Change, 'pids' | 'all'>), receivedAt, position };
			}),
		);
	}

	async settle(upTo: string): Promise<void> {
		const [time, sequence] = upTo.split('-');
		// Everything before the entry that would follow.
		const end = `${time}-${Number(sequence) + 1}`;
		await this.#use((client) => client.xtrim(this.#changes, 'MINID', end));
	}

	/**
	 * Locks a key that expires, and renews it. Without an answer, the lock counts as lost before it expires in Redis, so that
	 * a receiver that is cut off stops before another one starts.
	 */
	async hold(): Promise<Hold | undefined> {
		const key = `${this.#prefix}:lock`;
		const token = randomUUID();
		const duration = this.#lockDuration;
		const margin = duration / 4;
		const lockedAt = performance.now();
		const locked = await this.#use((client) => client.set(key, token, 'PX', duration, 'NX'));
		if (locked === null) return undefined;
		let safeUntil = lockedAt + duration - margin;
		const lost = new AbortController();
		const timer = setInterval(async () => {
			const askedAt = performance.now();
			try {
				if (askedAt > safeUntil || (await this.#client.get(key)) !== token) {
					clearInterval(timer);
					lost.abort(new Error(messages.lockLost));
					return;
				}
				await this.#client.pexpire(key, duration);
				safeUntil = askedAt + duration - margin;
			} catch {
				// Redis is unavailable. It is asked again until the lock is no longer safe.
			}
		}, margin);
		return {
			lost: lost.signal,
			release: async () => {
				clearInterval(timer);
				// A lock that may have expired may be that of another receiver.
				if (!lost.signal.aborted && performance.now() < safeUntil) await this.#client.del(key);
			},
		};
	}

	async close(): Promise<void> {
		this.#client.disconnect();
	}

	get #changes(): string {
		return `${this.#prefix}:changes`;
	}

	/** @throws WebhookError if Redis cannot be used. */
	async #use<Result>(action: (client: Redis) => Promise<Result>): Promise<Result> {
		try {
			return await action(this.#client);
		} catch (error) {
			const { message } = this.#connectionError ?? (error as Error);
			throw new WebhookError('PR_REDIS_UNREACHABLE', messages.redisFailed(`${message}.`), { cause: error });
		}
	}
}

/** Runs commands as one. @throws Error if one of them failed. */
async function resultsOf(commands: ReturnType<Redis['multi']>): Promise<unknown[]> {
	const results = (await commands.exec()) ?? [];
	return results.map(([error, result]) => {
		if (error) throw error;
		return result;
	});
}
