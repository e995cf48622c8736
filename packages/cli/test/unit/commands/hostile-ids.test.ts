import { expect, test } from 'vitest';
import { pack } from '../../../../integration/src/store/pack.js';
import { createFilledStore, FETCHED_AT } from '../../../../integration/test/support/unit/filled-store.js';
import { displayed, record } from '../../../../integration/test/support/unit/record.js';
import { printed, runCli } from '../../support/command.js';

/** Moves cursors, breaks lines, turns them around, or means something to a program that is careless. */
const HOSTILE = [
	'\u001b[2J\u001b[31mred',
	'\u001b]0;title\u0007',
	'\u009b31mc1',
	'\u0080\u0090dcs\u007f',
	'two\nlines\r\u2028three',
	'\u202egnp.exe\u2066',
	'__proto__',
	"'; DROP TABLE entries; --",
	'constructor',
	'%s%n',
	'ab\u0000cd',
	'-rf',
	'"quoted"\\',
	'x'.repeat(5_000),
	'😀\u200d',
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about
const DANGEROUS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

test('are listed a line each, without what a terminal obeys', () => {
	const { file } = createFilledStore(HOSTILE, ['one', '\u001b[31m']);
	const text = printed(file, ['store', 'ls']);
	expect(text).not.toMatch(DANGEROUS);
	expect(text.trimEnd().split('\n')).toHaveLength(2 * HOSTILE.length + 1);
	const json = printed(file, ['store', 'ls', '--json']);
	expect(json).not.toMatch(DANGEROUS);
	const pids = JSON.parse(json).products.map(({ pid }: { pid: string }) => pid);
	expect(new Set(pids)).toEqual(new Set(HOSTILE));
});

test.each(HOSTILE)('%j is shown, marked and removed', (pid) => {
	const { file } = createFilledStore([pid, 'other']);
	const texts = [
		printed(file, ['store', 'show', '--', pid]),
		printed(file, ['store', 'show', '--json', '--', pid]),
		printed(file, ['invalidate', '--', pid], FETCHED_AT + 1),
		printed(file, ['invalidate', '--json', '--', pid, `${pid}?`], FETCHED_AT + 1),
		printed(file, ['store', 'rm', '--', pid, `${pid}?`]),
	];
	expect(texts.join('').replaceAll('\t', '')).not.toMatch(DANGEROUS);
	expect(printed(file, ['store', 'ls'])).toMatch(/"other"\n1 product, /);
});

test('texts of reviews are shown clean', () => {
	const { file, open } = createFilledStore([]);
	const reviews = HOSTILE.map((text) => displayed({ title: text, author: text, body: text, date: text }));
	const store = open();
	store.table('reviews').put('p-1', pack(record({ reviews: reviews.slice(0, 5) })), FETCHED_AT);
	store.table('reviews').put('p-2', pack(record({ reviews: reviews.slice(5) })), FETCHED_AT);
	store.close();
	for (const pid of ['p-1', 'p-2']) {
		const text = printed(file, ['store', 'show', pid]);
		expect(text).not.toMatch(DANGEROUS);
		expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(80);
	}
});

test('what a person mistypes is printed clean, too', async () => {
	const { file } = createFilledStore(['p-1']);
	for (const args of [
		['store', 'show', '\u001b[2J'],
		['store', 'rm', '\u001b[2J'],
		['\u001b[2J'],
		['--\u001b[2J'],
		['store', 'ls', '--limit', '\u009b2J'],
	]) {
		const { status, output, errors } = await runCli([...args, '--store', file]);
		expect({ status, output }).toEqual({ status: 1, output: '' });
		expect(errors).not.toMatch(DANGEROUS);
	}
});
