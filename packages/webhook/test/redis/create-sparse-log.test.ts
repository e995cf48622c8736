import { expect, test } from 'vitest';
import { createSparseLog } from '../../src/redis/create-sparse-log.js';

test('logs once a while, and how many lines were left out', () => {
	const lines: string[] = [];
	let now = 0;
	const log = createSparseLog(
		(line) => lines.push(line),
		60_000,
		() => now,
	);
	for (; now < 120_000; now += 100) log('Redis: connect ECONNREFUSED.');
	log('Redis: connect ECONNREFUSED.');
	expect(lines).toEqual([
		'Redis: connect ECONNREFUSED.',
		'Redis: connect ECONNREFUSED. (599 more since this was last logged.)',
		'Redis: connect ECONNREFUSED. (599 more since this was last logged.)',
	]);
});
