import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { pack } from '../../../../integration/src/store/pack.js';
import { createFilledStore, FETCHED_AT } from '../../../../integration/test/support/unit/filled-store.js';
import { displayed, record } from '../../../../integration/test/support/unit/record.js';
import { printed } from '../../support/command.js';

const NOW = FETCHED_AT + 60_000;
const show = (file: string, ...args: string[]) => printed(file, ['store', 'show', ...args], NOW);

test('says what is known of each value, and what it says', () => {
	const { file } = createFilledStore(['p-1', 'p-2']);
	const text = show(file, 'p-1');
	expect(text).toMatch(/^Product "p-1"\n\nreviews\n {2}fetched {5}2020-02-29T12:00:00.000Z \(1 min ago\)\n/);
	expect(text).toContain(`  digest      ${pack(record()).digest}\n`);
	expect(text).toContain('\n  4.5 of 2 ratings; 1 review to read, 1 review in structured data\n');
	expect(text).toContain('\n  5/5 2026-11-20 Ada: Good | Boils fast.\n');
	expect(text).toContain('\nrating\n');
	expect(text).toContain('\n  4.5 of 2 ratings; 3 questions\n');
});

test('shows review data, a mark, validators and the first reviews of many', () => {
	const { file, open } = createFilledStore(['p-1']);
	const store = open();
	const reviews = Array.from({ length: 9 }, (_, index) => displayed({ title: `Title ${index}` }));
	const aggregate = { average: 3.2, count: 1_200 };
	const data = { pid: 'p-1', reviews, aggregate, media: [{}], questions: [], questionCount: 7 };
	store.table('review-data').put('p-1', pack(data), FETCHED_AT, '{"etag":"\\"x\\""}');
	store.table('mark').put('p-1', pack({}), FETCHED_AT);
	store.close();
	const text = show(file, 'p-1');
	expect(text).toContain('3.2 of 1,200 ratings; 9 reviews, 7 questions, 1 media\n');
	expect(text).toContain('Title 4');
	expect(text).not.toContain('Title 5');
	expect(text).toContain('and 4 more; --json prints them all\n');
	expect(text).toContain('validators  yes\n');
	expect(text).toContain('\nmark\n  written ');
	expect(text).not.toContain('etag');
});

test('--json prints whole records', () => {
	const { file } = createFilledStore(['p-1'], ['one', 'two']);
	const { pid, kept } = JSON.parse(show(file, 'p-1', '--json'));
	expect(pid).toBe('p-1');
	expect(kept.map(({ account, kind }: Record<string, string>) => [account, kind])).toEqual([
		['one', 'reviews'],
		['one', 'rating'],
		['two', 'reviews'],
		['two', 'rating'],
	]);
	expect(kept[0]).toMatchObject({
		fetchedAt: '2020-02-29T12:00:00.000Z',
		state: 'fetched',
		hasValidators: false,
		record: record(),
	});
	expect(show(file, 'p-1')).toContain('\nreviews, account two\n');
});

test('a value that is damaged or of another form does not hide the others', () => {
	const { file, open } = createFilledStore(['p-1']);
	const store = open();
	store.table('review-data').put('p-1', pack(['of another version']), FETCHED_AT);
	store.close();
	const database = new DatabaseSync(file);
	database.exec("UPDATE contents SET value = x'00' WHERE kind = 'reviews'");
	database.close();
	const text = show(file, 'p-1');
	expect(text).toContain('  cannot be read: ');
	expect(text).toContain('does not know the form of this record');
	expect(text).toContain('4.5 of 2 ratings; 3 questions');
	expect(JSON.parse(show(file, 'p-1', '--json')).kept[0].unreadable).toEqual(expect.any(String));
});

test('a product that is not stored is an error, and a page is no product', () => {
	const { file } = createFilledStore(['p-1']);
	expect(() => show(file, 'p-7')).toThrow('The product "p-7" is not in the store.');
	expect(() => show(file, '/p-1/')).toThrow('is not in the store.');
});
