import type { Redis } from 'ioredis';
import type { Change } from '../changes/change.js';
import type { ChangeLog, WaitingChanges } from '../collect/change-log.js';
import { RECORD, SETTLE, WAITING } from './scripts.js';

/** How long ids of events are kept, in milliseconds: twice as long as a signed request is good for. */
const EVENTS_KEPT = 1_200_000;
/** In place of a product id: anything may have changed. No product has it. */
const ALL = '';

/** What waits, with what Redis' own clock says. Every time here is of that clock: those of receivers may differ. */
export interface WaitingInRedis extends WaitingChanges {
	/** Milliseconds since 1970. */
	readonly now: number;
	/** How many products. */
	readonly products: number;
}

/** Holds changes in Redis, for several receivers. */
export interface RedisLog extends ChangeLog {
	waiting(): Promise<WaitingInRedis | undefined>;
	/** What waits, without the product ids: `pids` is empty. */
	summary(): Promise<WaitingInRedis | undefined>;
	/** Keeps a text for all receivers; `undefined` removes it. */
	remember(name: string, text: string | undefined): Promise<void>;
	recall(name: string): Promise<string | undefined>;
}

/**
 * Each change is one script and one round trip. All keys begin with the prefix and lie in one slot of a cluster when it has
 * a hash tag.
 *
 * @param client stays the caller's: `close` leaves it open.
 * @param prefix of the keys.
 * @param timeOf a change, in milliseconds since 1970. @default Redis' own clock
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

/** The client with the scripts as commands: it sends each by its digest, and whole only where Redis does not know it yet. */
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
