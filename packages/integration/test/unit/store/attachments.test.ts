import { describe, expect, test } from 'vitest';
import { MOST_ATTACHED, readAttachments, writeAttachments } from '../../../src/store/attachments.js';
import { pack, unpack } from '../../../src/store/pack.js';
import { createStoreFile } from '../../support/unit/store.js';

const FETCHED_AT = 1_700_000_000_000;
const about = { facts: [], für: 'Möbel 😀' };
const text = '<p>Größe — 日本 😀</p>';

test('what was made of a value comes back as it was', () => {
	const items = { a: { text, about }, b: { text: '', about: null } };
	const bytes = writeAttachments({ digest: 'd', set: 's', items });
	expect(bytes.buffer.byteLength).toBe(bytes.length);
	expect(readAttachments(bytes)).toEqual({ digest: 'd', set: 's', items });
});

test('a value is packed the same with and without it', () => {
	const value = { pid: 'p-1', body: 'Größe' };
	const { attachments, ...packed } = pack(value, { count: 1 }, { set: 's', items: { a: { text, about } } });
	expect(packed).toEqual(pack(value, { count: 1 }));
	expect(unpack(packed)).toEqual(value);
	expect(readAttachments(Buffer.from(attachments ?? [])).digest).toBe(packed.digest);
});

const range = (start: number, end: number) => Array.from({ length: end - start }, (_, at) => start + at);

function readAll(steps: Iterator<void>): void {
	while (!steps.next().done);
}

describe('in the store', () => {
	function createSetup() {
		const file = createStoreFile();
		const packed = pack({ pid: 'p-1' });
		const fill = () => {
			const store = file.open();
			store.table('reviews').put('p-1', packed, FETCHED_AT);
			return store;
		};
		return { ...file, packed, fill };
	}

	test('it is found at once, after a flush, and in the next build', () => {
		const { fill, open, packed, warnings } = createSetup();
		const store = fill();
		const table = store.table('reviews');
		table.attach('p-1', packed.digest, 's', 'a', { text, about });
		table.attach('p-1', packed.digest, 's', 'b', { text: 'b', about: {} });
		expect(table.attachment('p-1', 's', 'a')).toEqual({ text, about });
		store.flush();
		expect(table.attachment('p-1', 's', 'a')).toEqual({ text, about });
		table.attach('p-1', packed.digest, 's', 'c', { text: 'c', about: {} });
		store.close();
		const next = open().table<object>('reviews');
		for (const key of ['a', 'b', 'c']) expect(next.attachment('p-1', 's', key)).toBeDefined();
		expect(next.get('p-1')).toMatchObject({ value: { pid: 'p-1' }, fetchedAt: FETCHED_AT });
		expect(next.attachment('p-1', 'other', 'a')).toBeUndefined();
		expect(next.attachment('p-2', 's', 'a')).toBeUndefined();
		expect(warnings).toEqual([]);
	});

	test('it goes with its value, and with its set', () => {
		const { fill, open, packed } = createSetup();
		const store = fill();
		const table = store.table('reviews');
		table.attach('p-1', packed.digest, 's', 'a', { text, about });
		store.flush();
		expect(table.attachment('p-1', 's', 'a')).toBeDefined();
		table.put('p-1', pack({ pid: 'p-1', heading: 'New' }), FETCHED_AT + 1);
		expect(table.attachment('p-1', 's', 'a')).toBeUndefined();
		// Made of the value before.
		table.attach('p-1', packed.digest, 's', 'a', { text, about });
		store.flush();
		expect(table.attachment('p-1', 's', 'a')).toBeUndefined();
		const digest = pack({ pid: 'p-1', heading: 'New' }).digest;
		table.attach('p-1', digest, 's', 'a', { text, about });
		store.flush();
		table.attach('p-1', digest, 't', 'b', { text, about });
		store.close();
		const next = open().table('reviews');
		expect(next.attachment('p-1', 's', 'a')).toBeUndefined();
		expect(next.attachment('p-1', 't', 'b')).toEqual({ text, about });
	});

	test('a change of the value while it waits is kept', () => {
		const { fill, open, packed } = createSetup();
		const store = fill();
		store.flush();
		const table = store.table('reviews');
		table.attach('p-1', packed.digest, 's', 'a', { text, about });
		table.change('p-1', { fetchedAt: FETCHED_AT + 5, state: 'stale' });
		store.close();
		const next = open().table('reviews');
		expect(next.entry('p-1')).toMatchObject({ fetchedAt: FETCHED_AT + 5, state: 'stale' });
		expect(next.attachment('p-1', 's', 'a')).toEqual({ text, about });
	});

	describe('read ahead', () => {
		/** A store with the same html of forty products as at their last build. */
		function createRead() {
			const { open, packed, warnings } = createSetup();
			const pids = Array.from({ length: 40 }, (_, index) => `p-${index}`);
			const first = open();
			for (const pid of pids) {
				first.table('reviews').put(pid, packed, FETCHED_AT);
				first.table('reviews').attach(pid, packed.digest, 's', 'a', { text: pid, about });
			}
			first.close();
			const store = open();
			return { store, table: store.table('reviews'), pids, packed, warnings };
		}
		const renewed = pack({ pid: 'p-1', heading: 'New' });

		test('what is read is what is there when it is asked for', () => {
			const { store, table, pids, packed, warnings } = createRead();
			readAll(table.readAhead([...pids, 'unknown']));
			table.put('p-1', renewed, FETCHED_AT + 1);
			table.attach('p-2', packed.digest, 's', 'a', { text: 'Newer', about });
			readAll(table.readAhead(['p-1', 'p-2', 'p-3']));
			for (const pid of ['p-0', 'p-3', 'p-39']) {
				expect(table.attachment(pid, 's', 'a')).toEqual({ text: pid, about });
			}
			expect(table.attachment('p-1', 's', 'a')).toBeUndefined();
			expect(table.attachment('p-2', 's', 'a')).toEqual({ text: 'Newer', about });
			expect(table.attachment('unknown', 's', 'a')).toBeUndefined();
			store.close();
			readAll(table.readAhead(pids));
			expect(table.attachment('p-1', 's', 'a')).toBeUndefined();
			expect(warnings).toEqual([]);
		});

		test.each(range(0, 41))('a value that changes at step %i shows nothing of the one before', (at) => {
			const { store, table, pids, packed } = createRead();
			const steps = table.readAhead(pids);
			for (let step = 0; step < at; step++) steps.next();
			for (const pid of ['p-1', 'p-20', 'p-39']) table.put(pid, renewed, FETCHED_AT + 1);
			table.attach('p-2', packed.digest, 's', 'a', { text: 'Newer', about });
			store.flush();
			readAll(steps);
			for (const pid of ['p-1', 'p-20', 'p-39']) expect(table.attachment(pid, 's', 'a')).toBeUndefined();
			expect(table.attachment('p-2', 's', 'a')).toEqual({ text: 'Newer', about });
			for (const pid of ['p-0', 'p-3', 'p-38']) {
				expect(table.attachment(pid, 's', 'a')).toEqual({ text: pid, about });
			}
		});
	});

	test('more than reading is worth is not kept', () => {
		const { fill, open, packed } = createSetup();
		const store = fill();
		const table = store.table('reviews');
		const long = { text: 'x'.repeat(MOST_ATTACHED), about: {} };
		table.attach('p-1', packed.digest, 's', 'long', long);
		table.attach('p-1', packed.digest, 's', 'longer', { ...long, text: `${long.text}x` });
		store.flush();
		table.attach('p-1', packed.digest, 's', 'one more', { text, about });
		store.close();
		const next = open().table('reviews');
		expect(next.attachment('p-1', 's', 'long')).toEqual(long);
		for (const key of ['longer', 'one more']) expect(next.attachment('p-1', 's', key)).toBeUndefined();
	});
});
