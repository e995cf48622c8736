import { expect, test, vi } from 'vitest';
import { watchSilence } from '../../src/redis/watch-silence.js';

test('opens anew where answers fail and none came for a while, and gives it time then', async () => {
	let now = 0;
	const onSilence = vi.fn();
	const watched = watchSilence({ longest: 3_000, onSilence, now: () => now });
	const fail = () =>
		expect(watched(Promise.reject(new Error('Command timed out')))).rejects.toThrow('timed out');
	await fail();
	now = 2_900;
	expect(await watched(Promise.resolve('OK'))).toBe('OK');
	now = 5_800;
	await fail();
	expect(onSilence).not.toHaveBeenCalled();
	now = 6_000;
	await fail();
	await fail();
	expect(onSilence).toHaveBeenCalledTimes(1);
	now = 9_100;
	await fail();
	expect(onSilence).toHaveBeenCalledTimes(2);
});
