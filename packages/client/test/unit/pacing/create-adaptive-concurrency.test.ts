import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAdaptiveConcurrency } from '../../../src/pacing/create-adaptive-concurrency.js';
import { createFakeTime } from '../../support/fake-time.js';
import { queueing, refusing, simulate, taking } from '../../support/simulated-service.js';

/** Tries that end one after the other, `ms` apart. */
function start(most: number) {
	const { now, advance: pass } = createFakeTime();
	const concurrency = createAdaptiveConcurrency({ most, now });
	const end = (status: number | undefined, count = 1, ms = 20, timedOut = false) => {
		for (let index = 0; index < count; index++) {
			pass(ms);
			concurrency.observe({ status, durationMs: ms - 1, timedOut });
		}
		return concurrency.current();
	};
	return { ...concurrency, pass, end };
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
const secondHalf = (numbers: readonly number[]) => numbers.slice(numbers.length / 2);

describe('refusals', () => {
	test.each([429, 503, 504])(
		'a %i that is alone lowers the number by an eighth, more halve it, to one at the least',
		(status) => {
			const { end } = start(16);
			expect([1, 2, 3, 4, 5, 6].map(() => end(status))).toEqual([14, 7, 3, 1, 1, 1]);
			end(200, 1_000);
			expect(end(status)).toBe(14);
		},
	);

	test('a time-out does, also where a status had come', () => {
		const { end } = start(16);
		expect(end(undefined, 1, 10_000, true)).toBe(14);
		expect(end(200, 1, 10_000, true)).toBe(7);
	});

	test('requests that were under way at the time are not heard', () => {
		const { observe, current, pass } = start(16);
		pass(1_000);
		for (let index = 0; index < 16; index++) observe({ status: 429, durationMs: 10, timedOut: false });
		pass(10);
		for (let index = 0; index < 16; index++) observe({ status: 503, durationMs: 10, timedOut: false });
		expect(current()).toBe(14);
		pass(1);
		observe({ status: 429, durationMs: 10, timedOut: false });
		expect(current()).toBe(7);
	});

	test.each([400, 401, 403, 413, 500, 502, undefined])('%s says nothing of the load', (status) => {
		const { end } = start(16);
		expect(end(status, 100)).toBe(16);
		end(429, 2);
		expect(end(status, 1_000)).toBe(7);
	});
});

describe('recovery', () => {
	test.each([200, 304, 404])('as many %i as are in flight raise it by one', (status) => {
		const { end } = start(16);
		end(429, 2);
		expect([7, 8, 9].map((count) => end(status, count))).toEqual([8, 9, 10]);
	});

	test('the step to the number that was refused takes twenty times as many', () => {
		const { end } = start(5);
		end(429, 2);
		expect(end(200, 2)).toBe(3);
		expect(end(200, 59)).toBe(3);
		expect(end(200, 2)).toBe(4);
		expect(end(200, 1_000)).toBe(5);
	});

	test.each([2, 8, 16, 64])('%i after an outage it is back', (most) => {
		const { end } = start(most);
		end(503, 20);
		expect(end(200, 0)).toBe(1);
		expect(end(200, 20 * most + (most * most) / 2)).toBe(most);
	});
});

describe('a service that', () => {
	test('copes gets all at once, from the first request on', () => {
		for (const ms of [2, 50, 900]) {
			const service = taking((_index, random) => ms * (0.5 + random));
			expect(new Set(simulate({ most: 16, total: 2_000, service }).history)).toEqual(new Set([16]));
		}
	});

	test('answers after 5 to 500 ms at random keeps half of them at the least, and nearly all on average', () => {
		for (let seed = 1; seed <= 20; seed++) {
			const service = taking((_index, random) => 5 + 495 * random);
			const { history } = simulate({ most: 16, total: 2_000, service, seed });
			expect(Math.min(...history)).toBeGreaterThanOrEqual(8);
			expect(mean(history)).toBeGreaterThan(14);
		}
	});

	test('works on four at once gets fewer than sixteen, and is as quick', () => {
		const options = { most: 16, total: 2_000, service: queueing(4, 200) };
		const [adaptive, fixed] = [simulate(options), simulate({ ...options, isAdaptive: false })];
		expect(mean(secondHalf(adaptive.history))).toBeLessThan(13);
		expect(Math.min(...adaptive.history)).toBeGreaterThanOrEqual(8);
		expect(adaptive.ms).toBeLessThan(fixed.ms * 1.01);
	});

	test('takes longer for other products soon gets all again', () => {
		const service = taking((index, random) => (index < 200 ? 30 : 400) * (0.8 + 0.4 * random));
		const { history } = simulate({ most: 16, total: 2_000, service });
		expect(Math.min(...history)).toBeGreaterThanOrEqual(12);
		expect(mean(history)).toBeGreaterThan(15);
	});

	test('refuses more than four at once refuses far less, and is quicker', () => {
		const options = { most: 16, total: 1_000, service: refusing(() => 4, 50) };
		const [adaptive, fixed] = [simulate(options), simulate({ ...options, isAdaptive: false })];
		expect(adaptive.refused).toBeLessThan(fixed.refused / 2);
		expect(adaptive.ms).toBeLessThan(fixed.ms);
		expect(mean(secondHalf(adaptive.history))).toBeGreaterThan(3);
		expect(mean(secondHalf(adaptive.history))).toBeLessThan(5);
	});

	test('refuses more than twelve at once keeps nearly twelve busy', () => {
		const options = { most: 16, total: 1_000, service: refusing(() => 12, 50) };
		const [adaptive, fixed] = [simulate(options), simulate({ ...options, isAdaptive: false })];
		expect(adaptive.refused).toBeLessThan(fixed.refused / 2);
		expect(adaptive.ms).toBeLessThan(fixed.ms);
		expect(mean(secondHalf(adaptive.history))).toBeGreaterThan(10);
	});

	test('refuses for ten seconds only gets all again', () => {
		const begin = 1_000_000;
		const service = refusing((now) => (now - begin < 10_000 ? 3 : 100), 50);
		const { history } = simulate({ most: 16, total: 2_000, service });
		expect(Math.min(...history)).toBeLessThan(5);
		expect(history.at(-1)).toBe(16);
	});
});

test('whatever happens, it is a whole number from one to the most', () => {
	const ended = fc.record({
		status: fc.constantFrom(200, 200, 200, 304, 404, 429, 503, 500, undefined),
		durationMs: fc.oneof(fc.nat(1_000), fc.constantFrom(0, 1, 5, 1e9)),
		timedOut: fc.boolean(),
		pass: fc.integer({ min: -50, max: 1_000 }),
	});
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 256 }), fc.array(ended, { maxLength: 400 }), (most, all) => {
			const { now, advance: pass } = createFakeTime();
			const { observe, current } = createAdaptiveConcurrency({ most, now });
			for (const { pass: milliseconds, ...one } of all) {
				pass(milliseconds);
				observe(one);
				const number = current();
				if (!Number.isInteger(number) || number < 1 || number > most) return false;
			}
			return true;
		}),
		{ numRuns: 200 },
	);
});
