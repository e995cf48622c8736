import { expect, onTestFinished, test, vi } from 'vitest';
import { within } from '../../../src/base/async.js';

const never = new Promise<string>(() => {});

function haltTime() {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
	onTestFinished(() => void vi.useRealTimers());
}

test('what comes in time is the result, and what never comes is replaced when the time is up', async () => {
	haltTime();
	const onLate = vi.fn(() => 'late');
	expect(await within(Promise.resolve('in time'), 1_000, onLate)).toBe('in time');
	await expect(within(Promise.reject(new Error('its own')), 1_000, onLate)).rejects.toThrow('its own');
	expect(vi.getTimerCount()).toBe(0);
	const result = within(never, 1_000, onLate);
	await vi.advanceTimersByTimeAsync(999);
	expect(onLate).not.toHaveBeenCalled();
	await vi.advanceTimersByTimeAsync(1);
	expect(await result).toBe('late');
	expect(vi.getTimerCount()).toBe(0);
});

test('an answer that came while the thread was busy is not late', async () => {
	const answer = new Promise((resolve) => setTimeout(resolve, 60, 'in time'));
	const result = within(answer, 100, () => 'late');
	await new Promise((resolve) => setTimeout(resolve, 10));
	const end = performance.now() + 200;
	while (performance.now() < end);
	expect(await result).toBe('in time');
});
