import { expect, test } from 'vitest';
import { readCommand } from '../../src/node/command-line/read-command.js';

const ENVIRONMENT = {
	REVIEWS_WEBHOOK_SECRET: `whsec_${btoa('a secret of 24 characters or more')}`,
	REDIS_URL: 'redis://:hunter2@127.0.0.1:6379',
};
const read = (...args: string[]) => readCommand(['--run', 'true', ...args], ENVIRONMENT);

test('changes wait in a file, or in the Redis that a variable names', () => {
	expect(read()).toMatchObject({ data: '.product-reviews/changes.db', redis: undefined });
	expect(read('--data', 'a.db')).toMatchObject({ data: 'a.db', redis: undefined });
	expect(read('--redis-env', 'REDIS_URL')).toMatchObject({ redis: ENVIRONMENT.REDIS_URL });
});

test('a variable that is not set, and both ways at once, are refused', () => {
	expect(() => read('--redis-env', 'OTHER')).toThrow('The environment variable OTHER is not set.');
	expect(() => read('--redis-env', 'REDIS_URL', '--data', 'a.db')).toThrow(
		'pass either --data or --redis-env',
	);
});
