import type { RedisOptions } from 'ioredis';
import type { CollectorOptions } from '../collect/collector-options.js';

/** Options of {@link createRedisCollector}. Lengths of time are milliseconds; every receiver is given the same. */
export interface RedisCollectorOptions
	extends Pick<CollectorOptions, 'rebuild' | 'quiet' | 'atMost' | 'retryAfter' | 'retryAtMost' | 'onLog'> {
	/** Address (`redis://` or `rediss://`; it may hold a password and is never logged), or options of ioredis. */
	readonly connection: string | RedisOptions;
	/**
	 * Begins every key. Receivers of one site have the same, those of different sites another. Its braces keep the keys in
	 * one slot of a cluster.
	 * @default '{product-reviews}'
	 */
	readonly prefix?: string | undefined;
	/**
	 * How long a receiver may be unheard of before another takes its rebuild over. A rebuild may take longer: the receiver
	 * is heard of while it runs.
	 * @default 30_000
	 */
	readonly lockDuration?: number | undefined;
	/** Pause between looking for changes for which no rebuild is planned: a receiver was killed right between. @default 30_000 */
	readonly lookEvery?: number | undefined;
}
