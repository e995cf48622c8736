import { createHash, randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { ErrorCode } from '../../../errors/catalogue.js';
import type { ChangedProducts } from '../../../session/changed-products.js';
import type { RefreshSum } from '../refresh-store.js';

/** Prefix of every key, that of the receivers. Its braces keep the keys in one slot of a cluster. */
export const PREFIX = '{product-reviews}';
/** How long after its last worker a run is under way, in milliseconds: that worker may be started again. */
const ALIVE_FOR = 600_000;
/** How long the result of a run is kept for workers that come late, in milliseconds. */
const KEPT_FOR = 3_600_000;

/** One refresh by several workers. It begins when there is none under way, and ends when all of its work is done. */
export interface Run {
	readonly id: string;
	/** The result of {@link describeWork}. Workers with another command line get another one. */
	readonly work: string;
	/** Milliseconds since 1970. */
	readonly startedAt: number;
	/** When it ended; omitted while it is under way. */
	readonly endedAt?: number;
	readonly result?: RunResult;
	/** The run before it, if there was one. */
	readonly previous?: string;
}

/** What a command line asks for. */
export interface Work {
	readonly changed: ChangedProducts;
	/** Whether the products that changed are also the whole list. */
	readonly isNamed: boolean;
}

/** Any worker can read it, so any of them can make the plan of a run. */
export function describeWork({ changed: { pids, all }, isNamed }: Work): string {
	return JSON.stringify({ changed: { pids, all }, isNamed } satisfies Work);
}

/** @param work the result of {@link describeWork} */
export function readWork(work: string): Work {
	return JSON.parse(work);
}

/** What all workers of a run report. */
export type RunResult = { readonly sum: RefreshSum } | { readonly error: RunError };

/** An error that ends a run for all workers, such as that of a product list. */
export interface RunError {
	readonly code: ErrorCode;
	readonly message: string;
	readonly hint: string;
}

/**
 * A run that ended while this worker was starting was its run too. One that nobody works on any more is abandoned: what it
 * has done may be days old.
 */
const JOIN = `
	local found = redis.call('GET', KEYS[1])
	local new = cjson.decode(ARGV[1])
	if found then
		local run = cjson.decode(found)
		if run.endedAt then
			if run.work == new.work and run.endedAt > tonumber(ARGV[2]) then return found end
		elseif redis.call('SET', KEYS[2], '1', 'XX', 'PX', ARGV[3]) then
			return found
		end
		new.previous = run.id
	end
	local text = cjson.encode(new)
	redis.call('SET', KEYS[1], text)
	redis.call('SET', KEYS[2], '1', 'PX', ARGV[3])
	return text`;

/**
 * The first worker that sees the end writes the result, a second time under the name of the run: a worker that looks later
 * may find the next run in its place.
 */
const END = `
	local found = redis.call('GET', KEYS[1])
	if not found then return 0 end
	local run = cjson.decode(found)
	if run.id ~= ARGV[1] or run.endedAt then return 0 end
	redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
	redis.call('SET', KEYS[2], ARGV[2], 'PX', ARGV[3])
	return 1`;

/** The record of the run of one account. */
export interface RunRecord {
	/**
	 * Joins the run that is under way, or begins one.
	 * @param since when this worker was started, in milliseconds since 1970.
	 * @param startedAt when it began the work, if it has to begin again because Redis lost the run.
	 */
	join(work: string, since: number, startedAt?: number): Promise<Run>;
	/** Says that a worker is alive, too. @returns `undefined` if Redis has lost this run */
	read(run: Run): Promise<Run | undefined>;
	/** @returns whether this worker is the one that ended it. */
	end(run: Run, result: RunResult): Promise<boolean>;
}

export function openRunRecord(redis: Redis, account: string): RunRecord {
	const key = `${PREFIX}:refresh:${createHash('sha256').update(account).digest('hex').slice(0, 12)}`;
	const alive = `${key}:alive`;
	const ended = ({ id }: Run) => `${key}:ended:${id}`;
	return {
		async join(work, since, startedAt = Date.now()) {
			const mine = JSON.stringify({ id: randomUUID(), work, startedAt } satisfies Run);
			return JSON.parse(String(await redis.eval(JOIN, 2, key, alive, mine, since, ALIVE_FOR)));
		},
		async read(run) {
			const [texts] = await Promise.all([
				redis.mget(key, ended(run)),
				redis.set(alive, '1', 'PX', ALIVE_FOR),
			]);
			return texts
				.map((text): Run | undefined => text && JSON.parse(text))
				.findLast((found) => found?.id === run.id);
		},
		async end(run, result) {
			const text = JSON.stringify({ ...run, endedAt: Date.now(), result } satisfies Run);
			return (await redis.eval(END, 2, key, ended(run), run.id, text, KEPT_FOR)) === 1;
		},
	};
}
