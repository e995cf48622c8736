import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { holdLock } from '../../src/redis/hold-lock.js';

describe('holdLock', () => {
	beforeEach(() => void vi.useFakeTimers());
	afterEach(() => void vi.useRealTimers());
	const hold = (renew: () => Promise<boolean>) => {
		const onLost = vi.fn();
		return { onLost, end: holdLock({ renew, duration: 4_000, onLost, now: () => Date.now() }) };
	};

	test('renews well before the end, until it is released', async () => {
		const renew = vi.fn(async () => true);
		const { onLost, end } = hold(renew);
		await vi.advanceTimersByTimeAsync(20_000);
		expect(renew).toHaveBeenCalledTimes(20);
		end();
		await vi.advanceTimersByTimeAsync(20_000);
		expect(renew).toHaveBeenCalledTimes(20);
		expect(onLost).not.toHaveBeenCalled();
	});

	test('is lost at once where another has it', async () => {
		const { onLost } = hold(async () => false);
		await vi.advanceTimersByTimeAsync(1_000);
		expect(onLost).toHaveBeenCalledTimes(1);
		await vi.advanceTimersByTimeAsync(20_000);
		expect(onLost).toHaveBeenCalledTimes(1);
	});

	test.each([
		['rejects', () => Promise.reject(new Error('away'))],
		['does not answer', () => new Promise<boolean>(() => {})],
	])('is lost before it ends where Redis %s', async (_, renew) => {
		const { onLost } = hold(renew);
		await vi.advanceTimersByTimeAsync(2_999);
		expect(onLost).not.toHaveBeenCalled();
		await vi.advanceTimersByTimeAsync(1_000);
		expect(onLost).toHaveBeenCalledTimes(1);
	});

	test('survives a short absence of Redis', async () => {
		let count = 0;
		const { onLost, end } = hold(async () => {
			count += 1;
			if (count % 3 !== 0) throw new Error('away');
			return true;
		});
		await vi.advanceTimersByTimeAsync(2_000);
		expect(onLost).not.toHaveBeenCalled();
		end();
	});
});
