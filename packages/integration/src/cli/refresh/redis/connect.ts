import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { CommandError } from '../../../errors.js';

/** How long to wait for the first answer, in milliseconds. */
const FIRST_PATIENCE = 5_000;
/** How long Redis may be silent during a run, in milliseconds. */
const PATIENCE = 60_000;
/** Longest pause before reconnecting, in milliseconds. */
const LONGEST_PAUSE = 2_000;

/**
 * Connects to Redis. The connection reopens by itself.
 * @param url `redis://` or `rediss://`; it may contain a password, and is never repeated.
 * @throws CommandError for another URL, or if Redis does not answer.
 */
export async function connect(url: string): Promise<Redis> {
	if (!/^rediss?:$/.test(URL.parse(url)?.protocol ?? '')) {
		throw new CommandError(
			'PR_USAGE',
			'The address of Redis is not of the form redis://user:password@host:6379.',
			'Check --redis, or the variable that --redis-env names.',
		);
	}
	let last: unknown;
	// BullMQ requires unlimited retries.
	const redis = new Redis(url, {
		maxRetriesPerRequest: null,
		retryStrategy: (times) => Math.min(times * 100, LONGEST_PAUSE),
	}).on('error', (error) => {
		last = error;
	});
	try {
		await answered(redis.ping(), FIRST_PATIENCE, () => last);
		return redis;
	} catch (error) {
		redis.disconnect();
		throw error;
	}
}

/**
 * Waits for an answer of Redis, but not forever.
 * @param reason the last error of the connection.
 * @throws CommandError if none comes.
 */
export async function answered<Answer>(
	answer: Promise<Answer>,
	patience = PATIENCE,
	reason: () => unknown = () => undefined,
): Promise<Answer> {
	const over = new AbortController();
	const silence = wait(patience, undefined, { signal: over.signal }).then(() => {
		throw unreachable(reason() ?? `no answer for ${patience / 1_000} s`);
	});
	try {
		return await Promise.race([answer, silence]);
	} catch (error) {
		throw error instanceof CommandError ? error : unreachable(error);
	} finally {
		over.abort();
		silence.catch(() => {});
	}
}

function unreachable(cause: unknown): CommandError {
	const reason = cause instanceof Error ? cause.message : String(cause);
	return new CommandError(
		'PR_REDIS_UNREACHABLE',
		`Redis does not work: ${reason}.`,
		'Check its address and that it runs. What was fetched is in the store: start the same command again.',
		{ cause },
	);
}
