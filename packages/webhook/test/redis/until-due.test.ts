import { expect, test } from 'vitest';
import { untilDue } from '../../src/redis/until-due.js';

const TIMING = { quiet: 30, atMost: 300 };

test.each([
	['the quiet time after the last change', { now: 110, firstAt: 100, lastAt: 105 }, 25],
	['at most after the first', { now: 390, firstAt: 100, lastAt: 389 }, 10],
	['now', { now: 500, firstAt: 100, lastAt: 105 }, 0],
])('a rebuild is due %s', (_, waiting, expected) => {
	expect(untilDue(waiting, TIMING)).toBe(expected);
});
