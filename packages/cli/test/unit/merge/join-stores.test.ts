import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createFolder } from 'product-reviews-test-support/folder';
import { describe, expect, test } from 'vitest';
import { packRating } from '../../../../integration/src/cache/known-rating.js';
import { ALL_PRODUCTS } from '../../../../integration/src/store/marks.js';
import { openStore } from '../../../../integration/src/store/open-store.js';
import { pack } from '../../../../integration/src/store/pack.js';
import type { ReviewStore } from '../../../../integration/src/store/review-store.js';
import { joinStores } from '../../../src/merge/join-stores.js';

const NOW = 9_000;

/** Fills a store for each function, and joins them. */
function joined(...fills: readonly ((store: ReviewStore, file: string) => void)[]) {
	const folder = createFolder('stores');
	const startedAt = performance.now();
	const sources = fills.map((fill, index) => {
		const file = join(folder, `${index}`, 'reviews-v7.db');
		const store = openStore(
			file,
			'account',
			() => {},
			() => 1_000 + index,
		);
		fill(store, file);
		store.close();
		return { file, name: `shard ${index + 1}`, hasPages: true };
	});
	const file = join(folder, 'joined.db');
	const filledAt = performance.now();
	joinStores(file, sources, NOW);
	const timesOfFilling = (performance.now() - filledAt) / (filledAt - startedAt);
	const warnings: string[] = [];
	return { store: openStore(file, 'account', (message) => warnings.push(message)), warnings, timesOfFilling };
}

describe('the joined store', () => {
	test('has the last value of each product, and its attachments', () => {
		const { store } = joined(
			(first) => {
				first.table('reviews').put('p-1', pack('newer'), 20, 'etag');
				first.table('reviews').put('p-2', pack('older'), 10);
			},
			(second) => {
				second.table('reviews').put('p-1', pack('older'), 10);
				const packed = pack('newer');
				second.table('reviews').put('p-2', packed, 20);
				second.flush();
				second.table('reviews').attach('p-2', packed.digest, 'set', 'key', { text: 'html', about: 1 });
				second.table('review-data').put('p-2', pack('data'), 5);
			},
		);
		const reviews = store.table('reviews');
		expect(reviews.get('p-1')).toMatchObject({ value: 'newer', fetchedAt: 20, validators: 'etag' });
		expect(reviews.get('p-2')).toMatchObject({ value: 'newer', fetchedAt: 20 });
		expect(reviews.attachment('p-2', 'set', 'key')).toEqual({ text: 'html', about: 1 });
		expect(store.table('review-data').get('p-2')).toMatchObject({ value: 'data' });
		store.close();
	});

	test('has what was made of each value, also where only some values of a block are newer', () => {
		const pids = ['p-1', 'p-2', 'p-3'];
		const itemOf = (pid: string, version: number) => ({ text: `${pid} ${version}`, about: null });
		const put = (store: ReviewStore, pid: string, version: number) =>
			store
				.table('reviews')
				.put(pid, pack({ version }, undefined, { set: 's', items: { k: itemOf(pid, version) } }), version);
		const { store, warnings } = joined(
			(first) => {
				for (const pid of pids) put(first, pid, 1);
			},
			(second) => {
				for (const pid of pids) put(second, pid, pid === 'p-2' ? 2 : 1);
			},
			(third) => put(third, 'p-4', 1),
		);
		const reviews = store.table('reviews');
		expect(pids.map((pid) => reviews.attachment(pid, 's', 'k'))).toEqual([
			itemOf('p-1', 1),
			itemOf('p-2', 2),
			itemOf('p-3', 1),
		]);
		expect(reviews.attachment('p-4', 's', 'k')).toEqual(itemOf('p-4', 1));
		expect(warnings).toEqual([]);
		store.close();
	});

	test('knows the pages of all shards, and what they show', () => {
		const { store } = joined(
			(first) => {
				first.pages().put('page 1', pack({ at: 1 }), ['p-1', 'p-3']);
				first.pages().put('index', pack({ by: 'first' }), ['p-1']);
			},
			(second) => {
				second.pages().put('page 2', pack({ at: 2 }), ['p-2']);
				second.pages().put('index', pack({ by: 'second' }), ['p-1', 'p-2']);
			},
		);
		const pages = store.pages();
		expect([pages.get('page 1'), pages.get('page 2'), pages.get('index')]).toEqual([
			{ at: 1 },
			{ at: 2 },
			{ by: 'second' },
		]);
		expect(pages.showing(['p-2']).toSorted()).toEqual(['index', 'page 2']);
		expect(pages.products().toSorted()).toEqual(['p-1', 'p-2', 'p-3']);
		store.close();
	});

	test('keeps marks, but nothing of the builds', () => {
		const { store } = joined(
			(first) => first.table('output').put('last', pack({}), 10),
			(second) => second.table('mark').put('p-1', pack({}), 10),
		);
		expect(store.pids('mark')).toEqual(['p-1']);
		expect(store.pids('output')).toEqual([]);
		store.close();
	});

	test('leaves out damaged rows, and marks all products if one may have been a mark', () => {
		const { store, warnings } = joined(
			(first) => {
				first.table('reviews').put('p-1', pack('whole'), 10);
				first.table('reviews').put('p-2', pack('other'), 10);
			},
			(second, file) => {
				second.table('output').put('last', pack({}), 20);
				second.table('mark').put('p-2', pack({}), 20);
				second.flush();
				const database = new DatabaseSync(file);
				database.exec('UPDATE marks SET fetched_at = 21');
				database.close();
			},
		);
		expect(store.table('reviews').get('p-1')).toMatchObject({ value: 'whole' });
		expect(store.table('mark').entry(ALL_PRODUCTS)).toMatchObject({ fetchedAt: NOW });
		expect(store.pids('mark')).toEqual([ALL_PRODUCTS]);
		expect(warnings).toEqual([]);
		store.close();
	});

	test('does not take much longer than filling the shards, also if they share many products', () => {
		const PIDS = Array.from({ length: 4_000 }, (_, index) => `p-${index}`);
		const fill = (at: number) => (store: ReviewStore) => {
			for (const pid of PIDS) store.table('rating').put(pid, pack({}), at);
			for (const pid of PIDS) store.table('reviews').put(`${pid} ${at}`, pack({}), at);
		};
		const { store, timesOfFilling } = joined(fill(10), fill(20), fill(30));
		expect(timesOfFilling).toBeLessThan(3);
		expect(store.pids('reviews')).toHaveLength(12_000);
		store.close();
	});

	test('names a damaged file, and does without one that is not a shard', () => {
		const folder = createFolder('stores');
		const file = join(folder, 'reviews-v7.db');
		const store = openStore(file, 'account', () => {});
		for (let index = 0; index < 500; index++) store.table('reviews').put(`p-${index}`, pack({ index }), 10);
		store.close();
		const bytes = readFileSync(file);
		writeFileSync(file, bytes.fill(0x55, 8_192));
		const damaged = (name: string | undefined) => () =>
			joinStores(join(folder, 'joined.db'), [{ file, name, hasPages: false }], NOW);
		expect(damaged('"shards/1"')).toThrow(
			expect.objectContaining({
				code: 'PR_STORE_UNUSABLE',
				message: expect.stringMatching(/^The store in "shards\/1" cannot be used: .*malformed/),
			}),
		);
		expect(damaged(undefined)).not.toThrow();
	});

	test('fails for a file that is no store', () => {
		expect(() =>
			joined(
				() => {},
				(_, file) => new DatabaseSync(file).exec('DROP TABLE shown'),
			),
		).toThrow('shown');
	});
});

describe('a rating that another shard asked for later', () => {
	const rating = (average: number, count: number) => ({ average, count, questionCount: undefined });
	const asked = (summary: object, known: ReturnType<typeof rating>) =>
		joined(
			(first) => first.table('reviews').put('p-1', pack('reviews', summary), 10),
			(second) => second.table('rating').put('p-1', packRating(known), 20),
		).store;

	test.each([
		[{ average: 4.5, count: 2 }, rating(4.501, 2)],
		[{}, rating(0, 0)],
	])('is as old as the reviews if both say the same', (summary, known) => {
		const store = asked(summary, known);
		expect(store.table('rating').entry('p-1')).toMatchObject({ fetchedAt: 10 });
		store.close();
	});

	test.each([
		[{ average: 4.5, count: 2 }, rating(4.5, 3)],
		[{ average: 4.5, count: 2 }, rating(4, 2)],
		[{}, rating(5, 1)],
	])('stays newer if it has moved, so that the reviews are fetched', (summary, known) => {
		const store = asked(summary, known);
		expect(store.table('rating').entry('p-1')).toMatchObject({ fetchedAt: 20 });
		store.close();
	});

	test('stays newer than review data that says something else than the reviews', () => {
		const { store } = joined(
			(first) => first.table('reviews').put('p-1', pack('reviews', { average: 5, count: 1 }), 10),
			(second) => second.table('review-data').put('p-1', pack('data', { average: 4, count: 2 }), 12),
			(third) => third.table('rating').put('p-1', packRating(rating(5, 1)), 20),
		);
		expect(store.table('rating').entry('p-1')).toMatchObject({ fetchedAt: 20 });
		store.close();
	});
});
