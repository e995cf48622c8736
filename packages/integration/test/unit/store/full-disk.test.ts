import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { pack } from '../../../src/store/pack.js';
import { mountSmallDisk } from '../../support/small-disk.js';
import { createStoreFile } from '../../support/unit/store.js';

test('what a full disk does not take stays readable, and is written at the end if there is space then', ({
	skip,
}) => {
	const disk = mountSmallDisk('1m');
	if (typeof disk === 'string') return skip(disk);
	onTestFinished(() => disk.remove());
	const storeFile = createStoreFile(join(disk.folder, 'reviews-v7.db'));
	const values = Array.from({ length: 350 }, () => randomBytes(6_000).toString('base64'));
	const expectAll = (store: ReturnType<typeof storeFile.open>) =>
		expect(
			values.filter((value, index) => store.table('reviews').get(`p-${index}`)?.value !== value),
		).toEqual([]);
	const store = storeFile.open();
	for (const [index, value] of values.entries()) store.table('reviews').put(`p-${index}`, pack(value), 1);
	store.flush();
	expectAll(store);
	expect(storeFile.warnings).toEqual([
		'The store could not be written: database or disk is full. The build goes on. [PR_STORE_UNUSABLE]',
	]);

	disk.remount('size=16m');
	store.close();
	expect(storeFile.warnings).toHaveLength(1);
	const next = storeFile.open();
	expectAll(next);
	next.close();
	expect(storeFile.warnings).toHaveLength(1);
});
