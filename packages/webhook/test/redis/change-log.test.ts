import { Redis } from 'ioredis';
import { needs } from 'product-reviews-test-support/programs';
import { type RedisServer, startRedis } from 'product-reviews-test-support/redis-server';
import { outside } from 'product-reviews-test-support/settled';
import { afterAll, beforeAll, describe } from 'vitest';
import type { ChangeLog } from '../../src/collect/change-log.js';
import { openRedisLog } from '../../src/redis/redis-log.js';
import { describeChangeLog } from '../support/describe-change-log.js';

describe('changes in Redis', needs('redis-server'), () => {
	let redis: RedisServer;
	let client: Redis;
	let logs = 0;
	beforeAll(async () => {
		redis = await startRedis();
		client = new Redis(redis.url);
	});
	afterAll(async () => {
		client?.disconnect();
		await redis?.remove();
	});

	/** The time is the tests' own, and they wait for Redis. */
	const open = (): ChangeLog => {
		const log = openRedisLog(client, `{log-${++logs}}`, ({ receivedAt }) => receivedAt);
		const waitedFor = <Result>(answer: Promise<Result>): Promise<Result> => {
			outside.add(answer);
			return answer.finally(() => outside.delete(answer));
		};
		return {
			record: (change) => waitedFor(log.record(change)),
			count: () => waitedFor(log.count()),
			waiting: () => waitedFor(log.waiting()),
			settle: (upTo, startedAt) => waitedFor(log.settle(upTo, startedAt)),
			close: log.close,
		};
	};
	describeChangeLog('a log in Redis', open, { knowsEvents: true });
});
