import { expect, test } from 'vitest';
import { countTimes, percentile } from '../../../src/report-page/answer-times.js';

test('times are counted by range, without the empty ranges at both ends', () => {
	expect(countTimes([12, 15, 60, 19.9])).toEqual([
		{ label: '10 to 20 ms', count: 3 },
		{ label: '20 to 50 ms', count: 0 },
		{ label: '50 to 100 ms', count: 1 },
	]);
	expect(countTimes([])).toEqual([]);
});

test('every range has a name', () => {
	const times = [1, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 1e9];
	expect(countTimes(times)).toEqual([
		{ label: 'under 10 ms', count: 1 },
		{ label: '10 to 20 ms', count: 1 },
		{ label: '20 to 50 ms', count: 1 },
		{ label: '50 to 100 ms', count: 1 },
		{ label: '100 to 200 ms', count: 1 },
		{ label: '200 to 500 ms', count: 1 },
		{ label: '0.5 to 1 s', count: 1 },
		{ label: '1 to 2 s', count: 1 },
		{ label: '2 to 5 s', count: 1 },
		{ label: '5 to 10 s', count: 1 },
		{ label: '10 s or more', count: 2 },
	]);
});

test('a percentile is the shortest time that so many do not exceed', () => {
	const times = Array.from({ length: 20 }, (_, index) => index + 1);
	expect([0, 0.5, 0.95, 1].map((share) => percentile(times, share))).toEqual([1, 10, 19, 20]);
	expect(percentile([7], 0.5)).toBe(7);
});
