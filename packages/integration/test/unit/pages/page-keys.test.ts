import { expect, test } from 'vitest';
import type { Dependency } from '../../../src/pages/page.js';
import { productsOf, type StoredPage } from '../../../src/pages/page.js';
import { createPageKeys } from '../../../src/pages/page-keys.js';
import { createMemoryStore } from '../../../src/store/memory-store.js';
import { pack } from '../../../src/store/values.js';

/** Builds on one store, whose pages are stored when they are rendered; `changed` says which products are others now. */
function createSetup() {
	const table = createMemoryStore().pages<StoredPage>();
	const changed = new Set<string>();
	const start = (isAudited = false) => {
		const keys = createPageKeys(table, async ({ pid }) => !changed.has(pid), { isAudited });
		const rendered = (page: string, pid: string, more: Partial<StoredPage> = {}, isComplete = true) => {
			const generation = keys.rendered(page, isComplete);
			const dependencies: Dependency[] = [{ from: 'reviews', pid, version: 'd' }];
			const stored: StoredPage = { generation, address: `/${page}/`, dependencies, ...more };
			table.put(page, pack(stored), productsOf(stored));
		};
		return { keys, rendered, keyOf: (page: string) => keys.keyOf(page, 'own') };
	};
	return { changed, start };
}

test('a page has another key until it is rendered to its end, also if a build fails before that', async () => {
	const { start, changed } = createSetup();
	const unfinished = await start().keyOf('a');
	const first = start();
	const key = await first.keyOf('a');
	expect(key).toMatch(/^own reviews:[\w-]{12}$/);
	first.rendered('a', 'p-1');
	expect(await start().keyOf('a')).toBe(key);
	changed.add('p-1');
	expect(new Set([unfinished, key, await start().keyOf('a'), await start().keyOf('a')]).size).toBe(4);
	changed.clear();
	const next = start();
	expect(await next.keyOf('a')).toBe(key);
	// Pages without a key of their own are not kept.
	expect(next.keys.rendered('b', true)).toBeUndefined();
	expect(next.keys.counts).toEqual({ keyed: 1, changed: 0, rendered: 0 });
});

test('pages that cannot be told apart, and those that could not ask, are never taken from the cache', async () => {
	const { start } = createSetup();
	const first = start();
	const keys = [await first.keyOf('same'), await first.keyOf('same'), await first.keyOf('missing')];
	for (const pid of ['p-1', 'p-2']) first.rendered('same', pid);
	first.rendered('missing', 'p-1', {}, false);
	const next = start();
	const others = [await next.keyOf('same'), await next.keyOf('same'), await next.keyOf('missing')];
	for (const [index, key] of keys.entries()) expect(others[index]).not.toBe(key);
	expect([new Set(keys).size, new Set(others).size]).toEqual([3, 3]);
});

test('what is wrong with a page is said again when it is taken from the cache, and looked for if nobody did', async () => {
	const { start } = createSetup();
	const findings = [{ rule: 'hidden-only', pids: ['a'] }] as const;
	const first = start(true);
	const keys = [await first.keyOf('audited'), await first.keyOf('another')];
	first.rendered('audited', 'a', { findings });
	first.rendered('another', 'b');
	for (const isAudited of [true, false]) {
		const next = start(isAudited);
		expect(await next.keyOf('audited')).toBe(keys[0]);
		const reused = { name: 'audited', address: '/audited/', pids: ['a'] };
		expect([...next.keys.reused]).toEqual([{ ...reused, findings: isAudited ? findings : [] }]);
		expect((await next.keyOf('another')) === keys[1]).toBe(!isAudited);
	}
});
