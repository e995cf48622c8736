import { expect, test } from 'vitest';
import { type Dependency, putPage, type StoredPage } from '../../../src/pages/page.js';
import { createPageKeys } from '../../../src/pages/page-keys.js';
import { UNKNOWN_PAGE } from '../../../src/pages/recorder.js';
import { createMemoryStore } from '../../../src/store/open-store.js';

/** Builds on one store, whose pages are stored when they are rendered; `changed` says which products are others now. */
function createSetup() {
	const table = createMemoryStore().pages<StoredPage>();
	const changed = new Set<string>();
	const start = () => {
		const keys = createPageKeys(table, async ({ pid }) => !changed.has(pid));
		const rendered = (page: string, pid: string) => {
			const generation = keys.rendered(page);
			const dependencies: Dependency[] = [{ from: 'reviews', pid, version: 'd' }];
			putPage(table, page, { generation, address: `/${page}/`, dependencies, facts: [] });
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
	expect(next.keys.rendered('b')).toBeUndefined();
	expect(next.keys.counts).toEqual({ keyed: 1, changed: 0, rendered: 0 });
});

test('pages that cannot be told apart are never taken from the cache', async () => {
	const { start } = createSetup();
	const first = start();
	const keys = [await first.keyOf('same'), await first.keyOf('same')];
	for (const pid of ['p-1', 'p-2']) first.rendered('same', pid);
	const next = start();
	const others = [await next.keyOf('same'), await next.keyOf('same')];
	for (const [index, key] of keys.entries()) expect(others[index]).not.toBe(key);
	expect([new Set(keys).size, new Set(others).size]).toEqual([2, 2]);
});

test('any page may show what was asked for without a page', async () => {
	const { start, changed } = createSetup();
	const first = start();
	const key = await first.keyOf('a');
	first.rendered('a', 'p-1');
	first.rendered(UNKNOWN_PAGE, 'p-2');
	const next = start();
	expect([await next.keyOf('a'), [...next.keys.reused.keys()]]).toEqual([key, ['a']]);
	changed.add('p-2');
	expect(await start().keyOf('a')).not.toBe(key);
});
