import { createClock, NOW } from 'product-reviews-test-support/clock';
import { describe, expect, test } from 'vitest';
import type { SharedWrite } from '../../../src/shared-storage/shared-values.js';
import { record } from '../../support/unit/record.js';
import { createStorage, startInstance } from '../../support/unit/storage.js';

const answerOf = (pid: string, parts: Partial<SharedWrite> = {}): SharedWrite =>
	({
		kind: 'reviews',
		pid,
		value: record({ pid }),
		known: { etag: '"1"' },
		fetchedAt: NOW - 5_000,
		changedAt: NOW - 9_000,
		stamp: {},
		...parts,
	}) as SharedWrite;

function startTwo() {
	const shared = createStorage();
	const clock = createClock();
	const one = startInstance(shared, { clock });
	const other = startInstance(shared, { clock });
	return { shared, clock, one, other, after: one.after };
}

describe('answers', () => {
	test('what one instance stores, another reads', async () => {
		const { one, other } = startTwo();
		expect(await one.storage.write([answerOf('p-1'), answerOf('A/b:c')])).toBe(true);
		const read = await other.storage.read('reviews', ['p-1', 'A/b:c', 'p-2']);
		expect(read.get('p-1')).toEqual({
			stamp: {},
			entry: {
				value: record({ pid: 'p-1' }),
				known: { etag: '"1"', lastModified: undefined },
				fetchedAt: NOW - 5_000,
				changedAt: NOW - 9_000,
				isOutdated: false,
			},
		});
		expect(read.get('A/b:c')?.entry?.value.pid).toBe('A/b:c');
		expect(read.get('p-2')).toEqual({ stamp: {}, entry: undefined });
	});

	test('100 products are one round trip', async () => {
		const { one, shared } = startTwo();
		const pids = Array.from({ length: 100 }, (_, index) => `p-${index}`);
		await one.storage.read('reviews', pids);
		expect(shared.calls).toEqual(['getItems 201']);
	});

	test('accounts do not see each other', async () => {
		const shared = createStorage();
		await startInstance(shared).storage.write([answerOf('p-1')]);
		const other = startInstance(shared, { account: 'a-2' });
		expect((await other.storage.read('reviews', ['p-1'])).get('p-1')?.entry).toBeUndefined();
	});

	test('an answer that is too long is not stored', async () => {
		const { one, shared } = startTwo();
		const body = 'x'.repeat(20_000);
		const reviews = Array.from({ length: 250 }, () => ({ ...record().reviews[0], body }));
		await one.storage.write([answerOf('p-1', { value: record({ reviews } as never) } as never)]);
		expect(shared.values.size).toBe(0);
	});
});

describe('events', () => {
	test('make answers that were requested before outdated, and no others', async () => {
		const { one, other, after } = startTwo();
		await one.storage.write([answerOf('p-1'), answerOf('p-2')]);
		expect(await after(one.storage.outdate(['p-1']))).toBe(true);
		const read = await other.storage.read('reviews', ['p-1', 'p-2']);
		expect(read.get('p-1')?.entry).toMatchObject({ isOutdated: true, value: { pid: 'p-1' } });
		expect(read.get('p-2')?.entry?.isOutdated).toBe(false);
		await other.storage.write([answerOf('p-1', { stamp: read.get('p-1')?.stamp } as never)]);
		expect((await one.storage.read('reviews', ['p-1'])).get('p-1')?.entry?.isOutdated).toBe(false);
	});

	test('of all products make every answer outdated', async () => {
		const { one, other, after } = startTwo();
		await one.storage.write([answerOf('p-1')]);
		await other.storage.poll();
		await after(one.storage.outdate(undefined));
		await after(other.storage.poll(), 0);
		expect(await other.storage.poll()).toBe('all');
		const read = await other.storage.read('reviews', ['p-1']);
		expect(read.get('p-1')?.entry?.isOutdated).toBe(true);
		await other.storage.write([answerOf('p-1', { stamp: read.get('p-1')?.stamp } as never)]);
		expect((await one.storage.read('reviews', ['p-1'])).get('p-1')?.entry?.isOutdated).toBe(false);
	});

	test('another instance learns of them once, at its next poll', async () => {
		const { one, other, clock, after } = startTwo();
		expect(await other.storage.poll()).toEqual([]);
		await after(one.storage.outdate(['p-1', 'p-2']));
		expect(await after(other.storage.poll(), 0)).toEqual([]);
		expect(await other.storage.poll()).toEqual(['p-1', 'p-2']);
		await clock.advance(3_000);
		expect(await other.storage.poll()).toEqual([]);
		expect(await one.storage.poll()).toEqual([]);
	});

	test('another instance learns of one within two seconds, including the time that it takes to write it', async () => {
		const { one, other, clock, after } = startTwo();
		await other.storage.poll();
		await clock.advance(10);
		expect(await after(one.storage.outdate(['p-1']), 1_800)).toBe(true);
		expect(await other.storage.poll()).toEqual(['p-1']);
	});

	test('an instance that was stopped for an hour waits for its poll', async () => {
		const { one, other, clock, after } = startTwo();
		await other.storage.poll();
		await after(one.storage.outdate(['p-1']));
		await clock.advance(3_600_000);
		expect(await other.storage.poll()).toEqual(['p-1']);
	});

	test('polls read at most once a second', async () => {
		const { other, clock, shared } = startTwo();
		for (let polls = 0; polls < 100; polls++) {
			await other.storage.poll();
			await clock.advance(20);
		}
		expect(shared.calls.filter((call) => call === 'getItems 2')).toHaveLength(2);
	});

	test('two instances that write at the same time lose no event', async () => {
		const { one, other, shared, clock, after } = startTwo();
		const third = startInstance(shared, { clock });
		await third.storage.poll();
		const both = Promise.all([one.storage.outdate(['p-1']), other.storage.outdate(['p-2'])]);
		await after(both);
		await clock.advance(3_000);
		expect((await third.storage.poll()).toString().split(',').sort()).toEqual(['p-1', 'p-2']);
	});

	test('more events than can be listed leave an instance unsure', async () => {
		const { one, other, clock, after } = startTwo();
		await after(one.storage.outdate(['p-0']));
		await other.storage.poll();
		await after(one.storage.outdate(Array.from({ length: 300 }, (_, index) => `p-${index}`)));
		await clock.advance(3_000);
		expect(await other.storage.poll()).toBe('unsure');
	});

	test('of thousands of products leave all others as they are, and are written a few at a time', async () => {
		const { one, other, shared, after } = startTwo();
		await one.storage.write([answerOf('p-1'), answerOf('q-4999')]);
		let [writing, most] = [0, 0];
		const { setItem } = shared.driver;
		shared.driver.setItem = async (...item) => {
			most = Math.max(most, ++writing);
			await setItem?.(...item);
			writing -= 1;
		};
		const many = Array.from({ length: 5_000 }, (_, index) => `q-${index}`);
		expect(await after(one.storage.outdate(many), 5_000)).toBe(true);
		const read = await other.storage.read('reviews', ['p-1', 'q-4999']);
		expect(read.get('p-1')?.entry?.isOutdated).toBe(false);
		expect(read.get('q-4999')?.entry?.isOutdated).toBe(true);
		expect(most).toBeLessThanOrEqual(200);
	});

	test('a list that was lost leaves an instance unsure', async () => {
		const { one, other, shared, clock, after } = startTwo();
		await after(one.storage.outdate(['p-0']));
		await other.storage.poll();
		shared.values.clear();
		await clock.advance(3_000);
		expect(await other.storage.poll()).toBe('unsure');
	});

	test('one that the storage lost again is written again by whoever received it', async () => {
		const { one, other, shared, clock, after } = startTwo();
		await other.storage.poll();
		await after(one.storage.outdate(['p-1']));
		for (const key of shared.values.keys()) if (key.endsWith(':changes')) shared.values.delete(key);
		await clock.advance(2_000);
		await one.storage.poll();
		await clock.advance(2_000);
		expect(await other.storage.poll()).toEqual(['p-1']);
	});

	test('those that the storage forgot, such as when a backup is restored, are told again by whoever saw them', async () => {
		const { one, other, shared, clock, after } = startTwo();
		await after(one.storage.outdate(['p-1']));
		const { stamp } = (await one.storage.read('reviews', ['p-1'])).get('p-1') ?? {};
		await one.storage.write([answerOf('p-1', { stamp } as never), answerOf('p-2')]);
		await other.storage.poll();
		const backup = new Map(shared.values);
		await after(one.storage.outdate(['p-1']));
		await clock.advance(2_000);
		expect(await other.storage.poll()).toEqual(['p-1']);

		// A minute later, the instance that received it is gone.
		await clock.advance(60_000);
		shared.values.clear();
		for (const [key, value] of backup) shared.values.set(key, value);
		for (let seconds = 0; seconds < 3; seconds++) {
			await other.storage.poll();
			await clock.advance(1_000);
		}
		const third = startInstance(shared, { clock });
		const read = await third.storage.read('reviews', ['p-1', 'p-2']);
		expect(read.get('p-1')?.entry?.isOutdated).toBe(true);
		expect(read.get('p-2')?.entry?.isOutdated).toBe(false);
	});

	test('one that the storage forgot does not take the place of a later one', async () => {
		const { one, other, shared, clock, after } = startTwo();
		await after(one.storage.outdate(['p-0']));
		const backup = new Map(shared.values);
		await after(one.storage.outdate(['p-1']));
		await other.storage.poll();
		await clock.advance(60_000);
		shared.values.clear();
		for (const [key, value] of backup) shared.values.set(key, value);
		const third = startInstance(shared, { clock });
		await after(third.storage.outdate(['p-1']));
		const { stamp } = (await third.storage.read('reviews', ['p-1'])).get('p-1') ?? {};
		for (let seconds = 0; seconds < 3; seconds++) {
			await other.storage.poll();
			await clock.advance(1_000);
		}
		expect((await third.storage.read('reviews', ['p-1'])).get('p-1')?.stamp).toEqual(stamp);
	});

	test('one that comes right after the storage has failed is shared at once', async () => {
		const { one, other, shared, after } = startTwo();
		await one.storage.write([answerOf('p-1')]);
		shared.behaves = new Error('connect ECONNREFUSED');
		await one.storage.read('reviews', ['p-1']);
		shared.behaves = 'well';
		expect(await after(one.storage.outdate(['p-1']))).toBe(true);
		expect((await other.storage.read('reviews', ['p-1'])).get('p-1')?.entry?.isOutdated).toBe(true);
	});

	test('one that comes while the storage fails is shared when it works again', async () => {
		const { one, other, shared, clock, after } = startTwo();
		await other.storage.poll();
		await one.storage.write([answerOf('p-1')]);
		shared.behaves = new Error('connect ECONNREFUSED');
		expect(await after(one.storage.outdate(['p-1']))).toBe(false);
		shared.behaves = 'well';
		await clock.advance(1_000);
		// The instance itself knows already.
		await one.storage.poll();
		await clock.advance(100);
		expect((await one.storage.read('reviews', ['p-1'])).get('p-1')?.entry?.isOutdated).toBe(true);
		for (let seconds = 0; seconds < 3; seconds++) {
			await one.storage.poll();
			await clock.advance(1_000);
		}
		expect(await other.storage.poll()).toEqual(['p-1']);
	});
});

describe('a storage that does not work', () => {
	test('that hangs costs 100 ms once, and one warning a minute', async () => {
		const { one, shared, clock } = startTwo();
		shared.behaves = 'hangs';
		let ended = 0;
		const first = one.storage.read('reviews', ['p-1']).then(() => ended++);
		await clock.advance(99);
		expect(ended).toBe(0);
		await clock.advance(1);
		await first;
		for (let reads = 0; reads < 620; reads++) {
			expect((await one.storage.read('reviews', [`p-${reads}`])).size).toBe(0);
			await clock.advance(100);
		}
		expect(one.warnings).toHaveLength(2);
		expect(shared.calls.length).toBeLessThan(70);
		shared.behaves = 'well';
		await one.storage.read('reviews', ['p-1']);
		await clock.advance(1_100);
		await one.storage.read('reviews', ['p-1']);
		await clock.advance(1);
		expect((await one.storage.read('reviews', ['p-1'])).size).toBe(1);
	});

	test('that fails is as if it were empty, and the warning names no secret', async () => {
		const { one, shared } = startTwo();
		shared.behaves = new Error('WRONGPASS redis://:canary-password@10.0.0.1 canary-password refused');
		expect((await one.storage.read('reviews', ['p-1'])).size).toBe(0);
		expect(await one.storage.write([answerOf('p-1')])).toBe(false);
		expect(one.warnings.join()).toMatchInlineSnapshot(
			`"The shared storage failed: WRONGPASS redis://…@10.0.0.1 … refused. Meanwhile the service is asked. [PR_STORAGE_FAILED]"`,
		);
	});

	test('that cannot be opened is a storage that fails', async () => {
		const { storage, warnings } = startInstance({
			get driver(): never {
				throw new Error('Missing required option `base`.');
			},
		});
		expect((await storage.read('reviews', ['p-1'])).size).toBe(0);
		expect(warnings.join()).toContain('Missing required option');
	});
});

describe('clocks', () => {
	test('an instance whose clock is an hour behind follows the others', async () => {
		const shared = createStorage();
		const clock = createClock();
		const one = startInstance(shared, { clock });
		const behind = startInstance(shared, { clock, ahead: -3_600_000 });
		await one.storage.write([answerOf('p-1', { fetchedAt: one.storage.now() } as never)]);
		await one.storage.poll();
		await clock.advance(600_000);
		await one.storage.poll();
		await clock.advance(1);
		// It has never read an answer of the other one.
		await behind.storage.poll();
		const { entry } = (await behind.storage.read('reviews', ['p-1'])).get('p-1') ?? {};
		expect(behind.storage.now() - (entry?.fetchedAt ?? 0)).toBeGreaterThanOrEqual(600_000);
	});

	test('a time more than a day ahead is not believed', async () => {
		const { one, other } = startTwo();
		await one.storage.write([answerOf('p-1', { fetchedAt: NOW + 90_000_000 } as never)]);
		expect((await other.storage.read('reviews', ['p-1'])).get('p-1')?.entry).toBeUndefined();
		expect(other.storage.now()).toBe(NOW);
	});
});
