import type { Redis } from 'ioredis';
import type { Change } from '../changes/change.js';
import type { ChangeLog, WaitingChanges } from '../collect/change-log.js';
import { RECORD, SETTLE, WAITING } from './scripts.js';

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
