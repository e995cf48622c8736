import { expect, test } from 'vitest';
import { backoffDelay } from '../../src/http/backoff-delay.js';
import { parseRetryAfter } from '../../src/http/parse-retry-after.js';
import { redactCause } from '../../src/http/redact-cause.js';
import { createRetryBudget } from '../../src/pacing/create-retry-budget.js';
import { printable } from '../../src/printable.js';

const NOW = Date.parse('1994-11-06T08:49:07Z');

test.each<[string | null, number | undefined]>([
	['0', 0],
	['120', 120_000],
	[' 7 ', 7_000],
	['1.5', 1_500],
	['Sun, 06 Nov 1994 08:49:37 GMT', 30_000],
	['Sunday, 06-Nov-94 08:49:37 GMT', 30_000],
	['Sun Nov  6 08:49:37 1994', 30_000],
	['Sun, 06 Nov 1994 08:48:37 GMT', 0],
	['9'.repeat(400), 365 * 86_400_000],
	['Sun, 06 Nov 9994 08:49:37 GMT', 365 * 86_400_000],
	['-1', undefined],
	['soon', undefined],
	['1994-11-06', undefined],
	['Sun, 99 Nov 1994 99:49:37 GMT', undefined],
	['', undefined],
	[null, undefined],
])('Retry-After: %s is %j ms', (header, milliseconds) => {
	expect(parseRetryAfter(header, NOW)).toBe(milliseconds);
});

test.each([
	[0, 200, 200],
	[1, 200, 400],
	[6, 200, 12_800],
	[7, 200, 20_000],
	[2_000, 200, 20_000],
	[0, 1_000, 1_000],
	[5, 1_000, 20_000],
])('retry %i over a base of %i ms waits up to %i ms', (retry, base, window) => {
	expect(backoffDelay(retry, base, () => 0)).toBe(0);
	expect(backoffDelay(retry, base, () => 1)).toBe(window);
});

test('the budget gives nothing it has not, and never holds more than its size', () => {
	const budget = createRetryBudget(12);
	expect([budget.take(5), budget.take(5), budget.take(5)]).toEqual([true, true, false]);
	budget.giveBack(5);
	expect([budget.take(5), budget.take(2), budget.take(1)]).toEqual([true, true, false]);
	budget.giveBack(1_000);
	expect([budget.take(13), budget.take(12)]).toEqual([false, true]);
});

test('a circle of causes ends', () => {
	const first = new Error('first');
	first.cause = new Error('second', { cause: first });
	let depth = 0;
	for (let error: unknown = redactCause(first, (text) => text); error instanceof Error; error = error.cause) {
		depth += 1;
	}
	expect(depth).toBe(6);
});

test.each([
	['short', 80, 'short'],
	['exactly', 7, 'exactly'],
	['longer', 5, 'long…'],
	['a\tb\u0085c\u2028d\ufeff', 80, 'abcd'],
	['', 5, ''],
])('printable(%j, %i) is %j', (text, length, shown) => {
	expect(printable(text, length)).toBe(shown);
});
