/** A script that Redis runs atomically. */
export interface Script {
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
export const RECORD: Script = {
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
export const WAITING: Script = {
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
export const SETTLE: Script = {
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
