import type { Redis } from 'ioredis';
import type { Change } from '../changes/change.js';
import type { ChangeLog, WaitingChanges } from '../collect/change-log.js';

/** How long ids of events are kept, in milliseconds: twice as long as a signed request is valid. */
const EVENTS_KEPT = 1_200_000;
/** Stored in place of a product id if anything may have changed. No product has this id. */
const ALL = '';

/** Waiting changes. Every time is from the clock of Redis, because those of receivers may differ. */
export interface WaitingInRedis extends WaitingChanges {
	/** The current time, in milliseconds since 1970. */
	readonly now: number;
	/** Number of products. */
	readonly products: number;
}

/** Holds changes in Redis, for several receivers. */
export interface RedisLog extends ChangeLog {
	waiting(): Promise<WaitingInRedis | undefined>;
	/** The waiting changes without the product ids: `pids` is empty. */
	summary(): Promise<WaitingInRedis | undefined>;
	/** Stores a text for all receivers; `undefined` removes it. */
	remember(name: string, text: string | undefined): Promise<void>;
	recall(name: string): Promise<string | undefined>;
}

/**
 * Records each change with one script, in one round trip. All keys start with the prefix. If it has a hash tag, they are
 * in one slot of a cluster.
 *
 * @param client owned by the caller: `close` leaves it open.
 * @param prefix of the keys.
 * @param timeOf the time of a change, in milliseconds since 1970. @default the clock of Redis
 */
export function openRedisLog(client: Redis, prefix: string, timeOf?: (change: Change) => number): RedisLog {
	const keys = [`${prefix}:changes`, `${prefix}:firsts`, `${prefix}:state`] as const;
	const [, , state] = keys;
	const commands = withCommands(client);
	const read = async (includePids: boolean): Promise<WaitingInRedis | undefined> => {
		const reply = await commands.reviewsWaiting(...keys, includePids ? '1' : '0');
		if (!reply) return undefined;
		const [now, firstAt, lastAt, upTo, products, all, pids] = reply;
		const named = pids.filter((pid) => pid !== ALL);
		return { now, firstAt, lastAt, upTo, products, all: all === 1, pids: named };
	};
	return {
		async record(change) {
			const { id, pids, all } = change;
			const event = `${prefix}:event:${id ?? ''}`;
			const kept = id === undefined ? '' : String(EVENTS_KEPT);
			const time = timeOf ? String(timeOf(change)) : '';
			const marked = all ? [ALL] : pids;
			return (await commands.reviewsRecord(...keys, event, kept, time, ...marked)) === 1;
		},
		async count() {
			const { products = 0, all = false } = (await read(false)) ?? {};
			return { products, all };
		},
		waiting: () => read(true),
		summary: () => read(false),
		async settle(upTo, startedAt) {
			await commands.reviewsSettle(...keys, upTo, startedAt);
		},
		async remember(name, text) {
			if (text === undefined) await client.hdel(state, name);
			else await client.hset(state, name, text);
		},
		recall: async (name) => (await client.hget(state, name)) ?? undefined,
		async close() {},
	};
}

type WaitingReply = [number, number, number, number, number, number, string[]];

/** Adds the scripts to the client as commands. It sends the digest of a script, and the source only if Redis lacks it. */
function withCommands(client: Redis) {
	client.defineCommand('reviewsRecord', RECORD);
	client.defineCommand('reviewsWaiting', WAITING);
	client.defineCommand('reviewsSettle', SETTLE);
	return client as Redis & {
		reviewsRecord(...keysAndArguments: string[]): Promise<number>;
		reviewsWaiting(...keysAndArguments: string[]): Promise<WaitingReply | null>;
		reviewsSettle(...keysAndArguments: (string | number)[]): Promise<unknown>;
	};
}

/** A script that Redis runs atomically. */
interface Script {
	readonly numberOfKeys: number;
	readonly lua: string;
}

/** The clock shared by all receivers, in milliseconds since 1970. */
const NOW = `
	local time = redis.call('TIME')
	local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/** `KEYS` of every script: products by sequence, products by their first change, and everything else. */
const KEYS = `local sequences, firsts, state = KEYS[1], KEYS[2], KEYS[3]`;

/**
 * Records a change, unless its event was recorded before.
 * `KEYS[4]`: the event. `ARGV`: how long to remember it, in milliseconds, or empty if it has no id; when it arrived, or
 * empty for now; then the products.
 */
const RECORD: Script = {
	numberOfKeys: 4,
	lua: `${KEYS} ${NOW}
		if ARGV[1] ~= '' and not redis.call('SET', KEYS[4], 1, 'NX', 'PX', ARGV[1]) then return 0 end
		now = tonumber(ARGV[2]) or now
		local sequence = redis.call('HINCRBY', state, 'sequence', #ARGV - 2) - #ARGV
		for index = 3, #ARGV do
			redis.call('ZADD', sequences, sequence + index, ARGV[index])
			redis.call('ZADD', firsts, 'NX', now, ARGV[index])
		end
		local lastAt = tonumber(redis.call('HGET', state, 'lastAt')) or now
		redis.call('HSET', state, 'lastAt', string.format('%.0f', math.max(lastAt, now)))
		return 1`,
};

/**
 * Reads the waiting changes: current time, first, last, highest sequence, number of products, whether all, and the
 * products if `ARGV[1]` is 1.
 */
const WAITING: Script = {
	numberOfKeys: 3,
	lua: `${KEYS} ${NOW}
		local first = redis.call('ZRANGE', firsts, 0, 0, 'WITHSCORES')
		if #first == 0 then return false end
		local last = redis.call('ZRANGE', sequences, -1, -1, 'WITHSCORES')
		local all = redis.call('ZSCORE', sequences, '') and 1 or 0
		local pids = ARGV[1] == '1' and redis.call('ZRANGE', sequences, 0, -1) or {}
		return {
			now, tonumber(first[2]), tonumber(redis.call('HGET', state, 'lastAt')), tonumber(last[2]),
			redis.call('ZCARD', sequences) - all, all, pids
		}`,
};

/** Removes what was rebuilt. `ARGV`: the highest sequence that was rebuilt, and when the rebuild started. */
const SETTLE: Script = {
	numberOfKeys: 3,
	lua: `${KEYS}
		for _, pid in ipairs(redis.call('ZRANGEBYSCORE', sequences, '-inf', ARGV[1])) do
			redis.call('ZREM', firsts, pid)
		end
		redis.call('ZREMRANGEBYSCORE', sequences, '-inf', ARGV[1])
		for _, pid in ipairs(redis.call('ZRANGEBYSCORE', firsts, '-inf', '(' .. ARGV[2])) do
			redis.call('ZADD', firsts, ARGV[2], pid)
		end
		if redis.call('ZCARD', sequences) == 0 then redis.call('HDEL', state, 'lastAt') end`,
};
