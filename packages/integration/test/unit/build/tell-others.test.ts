import { expect, test } from 'vitest';
import { tellOthers } from '../../../src/build/tell-others.js';
import { createMemoryStore } from '../../../src/store/memory-store.js';
import { NO_VALUE, packConfirmed } from '../../../src/store/pack.js';

function tell(changed: Parameters<typeof tellOthers>[2]) {
	const store = createMemoryStore();
	store.table('mark').put('invalidated', packConfirmed(), 2);
	store.table('mark').put('fetched since', packConfirmed(), 2);
	store.table('rating').put('fetched since', NO_VALUE, 3);
	store.table('mark').put('named once', NO_VALUE, 2);
	const told: (readonly string[] | undefined)[] = [];
	tellOthers({ outdate: (pids) => told.push(pids) }, store, changed);
	return told;
}

test('others learn what was named and what a person invalidated, unless it was fetched since', () => {
	expect(tell({ pids: ['p-1'], all: false })).toEqual([['p-1', 'invalidated']]);
	expect(tell({ pids: [], all: true })).toEqual([undefined]);
});

test('a shard does not make outdated what the other shards of the same build have fetched', () => {
	expect(tell({ pids: [], all: true, isShard: true })).toEqual([['invalidated']]);
	expect(tell({ pids: ['p-1'], all: false, isShard: true })).toEqual([['p-1', 'invalidated']]);
});
