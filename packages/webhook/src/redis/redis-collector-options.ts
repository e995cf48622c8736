import type { RedisOptions } from 'ioredis';
import type { CollectorOptions } from '../collect/collector-options.js';

/** Options of {@link createRedisCollector}. Durations are in milliseconds. All receivers must use the same options. */
export interface RedisCollectorOptions
	extends Pick<CollectorOptions, 'rebuild' | 'quiet' | 'atMost' | 'retryAfter' | 'retryAtMost' | 'onLog'> {
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
