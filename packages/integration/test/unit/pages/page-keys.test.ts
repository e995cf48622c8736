import { describe, expect, test } from 'vitest';
import type { Dependency } from '../../../src/pages/dependency.js';
import { createPageKeys, type PageKeys } from '../../../src/pages/page-keys.js';
import { productsOf, type StoredPage } from '../../../src/pages/stored-page.js';
import { createMemoryStore } from '../../../src/store/memory-store.js';
import { pack } from '../../../src/store/pack.js';
import type { PageTable } from '../../../src/store/review-store.js';

const shown = (pid: string): Dependency => ({ from: 'reviews', pid, version: 'd' });

/** Keys whose pages are stored when they are rendered, as a build does it. */
function withStoring(keys: PageKeys, table: PageTable<StoredPage>) {
	return {
		...keys,
		get reused() {
			return keys.reused;
		},
		rendered(
			page: string,
			address: string,
			dependencies: readonly Dependency[] | undefined,
			findings?: StoredPage['findings'],
		) {
			const generation = keys.rendered(page, dependencies !== undefined);
			if (generation === undefined) return;
			const stored = { generation, address, dependencies: dependencies ?? [], findings };
			table.put(page, pack(stored), productsOf(stored));
		},
	};
}

/** Builds on one store; `changed` says which products are others than the pages showed. */
function createSetup() {
	const table = createMemoryStore().pages<StoredPage>();
	const changed = new Set<string>();
	return {
		changed,
		start: () =>
			withStoring(
				createPageKeys(table, async ({ pid }) => !changed.has(pid)),
				table,
			),
	};
}

test('a page that shows what it showed keeps its key from build to build', async () => {
	const { start } = createSetup();
	const first = start();
	const key = await first.keyOf('page', 'own');
	first.rendered('page', '/page/', [shown('a')]);
	expect(key).toMatch(/^own reviews:[\w-]{12}$/);
	expect(await start().keyOf('page', 'own')).toBe(key);
	expect(await start().keyOf('page', 'own')).toBe(key);
});

test('a page that was never rendered to its end gets another key each time', async () => {
	const { start } = createSetup();
	expect(await start().keyOf('page', '')).not.toBe(await start().keyOf('page', ''));
});

test('a changed product changes the key of the pages that show it, once', async () => {
	const { start, changed } = createSetup();
	const first = start();
	const keys = [await first.keyOf('a', ''), await first.keyOf('b', '')];
	first.rendered('a', '/a/', [shown('a'), shown('x')]);
	first.rendered('b', '/b/', [shown('b')]);
	changed.add('x');
	const second = start();
	const [keyOfA, keyOfB] = [await second.keyOf('a', ''), await second.keyOf('b', '')];
	expect(keyOfA).not.toBe(keys[0]);
	expect(keyOfB).toBe(keys[1]);
	second.rendered('a', '/a/', [shown('a'), shown('x')]);
	changed.clear();
	expect(await start().keyOf('a', '')).toBe(keyOfA);
	expect(second.counts).toEqual({ keyed: 2, changed: 1, rendered: 1 });
	expect([...second.reused]).toMatchObject([{ address: '/b/', pids: ['b'] }]);
});

test('a build that fails before the page is rendered leaves it to be rendered', async () => {
	const { start, changed } = createSetup();
	const first = start();
	const key = await first.keyOf('a', '');
	first.rendered('a', '/a/', [shown('a')]);
	changed.add('a');
	const failed = await start().keyOf('a', '');
	const next = await start().keyOf('a', '');
	expect(new Set([key, failed, next]).size).toBe(3);
});

describe('never taken from the cache', () => {
	test('pages of one name', async () => {
		const { start } = createSetup();
		const first = start();
		for (let page = 0; page < 2; page++) {
			await first.keyOf('same', '');
			first.rendered('same', '/same/', []);
		}
		const keys = start();
		expect(await keys.keyOf('same', '')).not.toBe(await keys.keyOf('same', ''));
	});

	test('pages that are to be rendered next time, too', async () => {
		const { start } = createSetup();
		const first = start();
		const key = await first.keyOf('page', '');
		first.rendered('page', '/page/', undefined);
		expect(first.counts.rendered).toBe(1);
		expect(await start().keyOf('page', '')).not.toBe(key);
	});

	test('pages without a key of their own are not kept', async () => {
		const { start } = createSetup();
		const keys = start();
		keys.rendered('page', '/page/', []);
		expect(keys.counts.rendered).toBe(0);
	});
});

describe('what is wrong with a page', () => {
	const FINDINGS = [{ rule: 'hidden-only', pids: ['a'] }] as const;

	function createAudited() {
		const table = createMemoryStore().pages<StoredPage>();
		return (isAudited: boolean) =>
			withStoring(
				createPageKeys(table, async () => true, { isAudited }),
				table,
			);
	}

	test('is said again when the page is taken from the cache', async () => {
		const start = createAudited();
		const first = start(true);
		const key = await first.keyOf('page', '');
		first.rendered('page', '/page/', [shown('a')], FINDINGS);
		for (let build = 0; build < 2; build++) {
			const next = start(true);
			expect(await next.keyOf('page', '')).toBe(key);
			expect([...next.reused]).toEqual([
				{ name: 'page', address: '/page/', pids: ['a'], findings: FINDINGS },
			]);
		}
		const off = start(false);
		await off.keyOf('page', '');
		expect([...off.reused]).toEqual([{ name: 'page', address: '/page/', pids: ['a'], findings: [] }]);
	});

	test('is looked for on a page that nobody audited', async () => {
		const start = createAudited();
		const first = start(false);
		const key = await first.keyOf('page', '');
		first.rendered('page', '/page/', [shown('a')]);
		expect(await start(false).keyOf('page', '')).toBe(key);
		expect(await start(true).keyOf('page', '')).not.toBe(key);
	});
});
