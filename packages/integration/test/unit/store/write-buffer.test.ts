import { expect, test } from 'vitest';
import { pack } from '../../../src/store/pack.js';
import { createWriteBuffer } from '../../../src/store/write-buffer.js';

const ROWS = 250;

test('a file that cannot be written is tried once, and once more when told to: each attempt may wait for a lock', () => {
	const attempts: number[] = [];
	let isLocked = true;
	const buffer = createWriteBuffer(({ rows }) => {
		attempts.push([...(rows ?? [])].length);
		return !isLocked;
	});
	for (let index = 0; index < ROWS; index++) {
		buffer.put({
			kind: 'reviews',
			pid: `p-${index}`,
			packed: pack(index),
			fetchedAt: 1_000,
			state: 'fetched',
			validators: undefined,
		});
	}
	expect(buffer.flush()).toBe(false);
	expect(attempts).toEqual([100]);

	buffer.retry();
	expect(buffer.flush()).toBe(false);
	expect(buffer.rowOf('reviews', 'p-0')?.fetchedAt).toBe(1_000);

	isLocked = false;
	buffer.retry();
	expect(buffer.flush()).toBe(true);
	expect(attempts).toEqual([100, ROWS, ROWS]);
	expect(buffer.rowOf('reviews', 'p-0')).toBeUndefined();
});
