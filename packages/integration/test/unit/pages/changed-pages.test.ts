import { expect, test } from 'vitest';
import { digestOf } from '../../../src/base/digest.js';
import { CacheFile } from '../../../src/cache/cache-file.js';
import { type Dependency, PageStore } from '../../../src/cache/page-store.js';
import { createPageKeys } from '../../../src/pages/build-pages.js';
import { changedAtOf } from '../../../src/pages/page-row.js';
import { UNKNOWN_PAGE } from '../../../src/pages/page-source.js';

/** Builds on one cache, whose pages are stored when they are rendered; `changed` says which products are others now. */
function createSetup() {
	const store = new PageStore(CacheFile.inMemory(), 'dist');
	const changed = new Set<string>();
	const start = () => {
		const keys = createPageKeys(store, async ({ pid }) => !changed.has(pid));
		const rendered = (page: string, pid: string) => {
			const generation = keys.rendered(page);
			const dependencies: Dependency[] = [{ from: 'reviews', pid, version: 'd' }];
			store.put(page, { generation, address: `/${page}/`, dependencies, facts: [] });
		};
		return { keys, rendered, keyOf: (page: string) => keys.keyOf(page, 'own') };
	};
	return { store, changed, start };
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

test('a page that an update was writing when it was killed is rendered', async () => {
	const { store, start } = createSetup();
	const first = start();
	const key = await first.keyOf('a');
	first.rendered('a', 'p-1');
	expect(await start().keyOf('a')).toBe(key);
	store.flush();
	const { row } = store.get('a') ?? expect.unreachable('It was rendered.');
	store.begin(new Map([['a', { row, next: row }]]));
	const next = start();
	expect(await next.keyOf('a')).not.toBe(key);
	expect([...next.keys.reused]).toEqual([]);
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

const BEFORE = 1;
const NOW = 2;
const own = (pid: string, version: string): Dependency => ({ pid, from: 'reviews', version });
const fragment = (pid: string, html: string, version: string): Dependency => ({
	...own(pid, version),
	request: { component: 'ProductReviews', props: {} },
	held: [digestOf(html)],
});

const shown = [fragment('a', '<p>A', 'v1'), fragment('b', '<p>B', 'v1'), own('c', 'v1')];
const [, ...others] = shown;
const RENDERED_ANEW = [fragment('a', '<div>A', 'v1'), fragment('b', '<div>B', 'v1'), own('c', 'v1')];

test.each<[string, Dependency[], boolean]>([
	['the same reviews', shown, false],
	['the same in another order', shown.toReversed(), false],
	['a review of which the page shows nothing', [fragment('a', '<p>A', 'v2'), ...others], false],
	['other html of the same reviews: a price, a label, a version of this package', RENDERED_ANEW, false],
	['another product without reviews', [...shown, fragment('d', '', 'v1')], false],
	['a new review', [fragment('a', '<p>AA', 'v2'), ...others], true],
	['the last one gone', [fragment('a', '', 'v2'), ...others], true],
	['another product', [...shown, fragment('d', '<p>D', 'v1')], true],
	['one product less', others, true],
	['own markup with other reviews', [...shown.slice(0, 2), own('c', 'v2')], true],
])('the time of a page is that of its last change: %s', (_what, dependencies, isChange) => {
	// The reviews of a page that the store does not know may be of any age.
	expect(changedAtOf(undefined, dependencies, NOW)).toBeUndefined();
	const before = { dependencies: shown };
	expect(changedAtOf({ ...before, changedAt: BEFORE }, dependencies, NOW)).toBe(isChange ? NOW : BEFORE);
	expect(changedAtOf(before, dependencies, NOW)).toBe(isChange ? NOW : undefined);
});
