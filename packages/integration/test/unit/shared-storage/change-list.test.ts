import fc from 'fast-check';
import type { Driver } from 'unstorage';
import memory from 'unstorage/drivers/memory';
import { expect, test } from 'vitest';
import { type Change, ChangeList, createChanges } from '../../../src/reviews/change-list.js';
import { openStorage } from '../../support/unit/storage.js';

const pid = fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined });
const changes = fc.array(pid, { maxLength: 30 }).map((pids) => pids.map(changeOf));

function changeOf(pid: string | undefined, index: number): Change {
	return { id: `c-${index}`, pid };
}

test('an answer is outdated exactly if its product, or all of them, changed after the last change that was known', () => {
	fc.assert(
		fc.property(changes, changes, (before, after) => {
			const later = after.map((change) => ({ ...change, id: `later-${change.id}` }));
			const known = new ChangeList(before);
			const list = ChangeList.fromText('a-1', known.with(later).toText('a-1'));
			const isChanged = later.some((change) => change.pid === 'a' || change.pid === undefined);
			if (before.length > 0) expect(list.isOutdated('a', known.last)).toBe(isChanged);
			const pids = later.map((change) => change.pid);
			expect(list.since(known)).toEqual(pids.includes(undefined) ? 'all' : pids);
		}),
	);
});

test('whoever missed more than a thousand changes takes all products for changed', () => {
	const known = new ChangeList(createChanges(['p-1']));
	const many = Array.from({ length: 999 }, (_, index) => changeOf('p-2', index));
	expect(known.with(many).since(known)).toHaveLength(999);
	expect(known.with(many).isOutdated('p-1', known.last)).toBe(false);
	const more = known.with([...many, changeOf('p-2', 999)]);
	expect(more.since(known)).toBe('all');
	expect(more.isOutdated('p-1', known.last)).toBe(true);
});

test('a list of another account, or what is none, contains no changes', () => {
	const text = new ChangeList(createChanges(['p-1'])).toText('a-1');
	for (const given of [undefined, '', '[]', text.slice(1), text.replace('p-1', 'p-2')]) {
		expect(ChangeList.fromText('a-1', given).last).toBe('');
	}
	expect(ChangeList.fromText('a-2', text).last).toBe('');
	expect(ChangeList.fromText('a-1', text).last).not.toBe('');
});

test('an instance knows its own changes, even if it began to read before they were written', async () => {
	const first = Promise.withResolvers<void>();
	let reads = 0;
	const items = memory();
	const driver: Driver = {
		...items,
		async getItem(key, options) {
			const found = await items.getItem(key, options);
			if (reads++ === 0) await first.promise;
			return found;
		},
	};
	const storage = openStorage(driver, () => {});
	const reading = storage.poll();
	const told = storage.outdate(undefined);
	setTimeout(first.resolve, 10);
	await Promise.all([reading, told]);
	expect(storage.lastChange).toMatch(/./);
});
