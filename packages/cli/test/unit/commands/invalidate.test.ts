import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { createRevalidation } from '../../../../integration/src/cache/create-revalidation.js';
import { pack } from '../../../../integration/src/store/pack.js';
import { createFilledStore, FETCHED_AT } from '../../../../integration/test/support/unit/filled-store.js';
import { printed, runCli } from '../../support/command.js';

type StoreFile = ReturnType<typeof createFilledStore>;

/** What a build that opens the store now takes for outdated. */
function outdated({ open }: StoreFile, account = 'account', pids = ['p-1', 'p-2']): string[] {
	const store = open(account);
	const revalidation = createRevalidation(store, Date.now);
	const reviews = store.table('reviews');
	const found = pids.filter((pid) =>
		revalidation.isOutdated(pid, reviews.entry(pid)?.fetchedAt ?? Number.POSITIVE_INFINITY),
	);
	store.close();
	return found;
}

test('a build asks for what was marked, and for nothing else', () => {
	const storeFile = createFilledStore(['p-1', 'p-2']);
	expect(outdated(storeFile)).toEqual([]);
	expect(printed(storeFile.file, ['invalidate', 'p-2'], FETCHED_AT + 1)).toBe(
		'Marked 1 product. The next build asks the service again, and "astro dev" on the next visit.\n',
	);
	expect(outdated(storeFile)).toEqual(['p-2']);
});

test('--all marks whatever the service sent, stars in lists as well', () => {
	const storeFile = createFilledStore(['p-1', 'p-2']);
	const store = storeFile.open();
	store.table('rating').put('p-3', pack({}), FETCHED_AT);
	store.close();
	expect(JSON.parse(printed(storeFile.file, ['invalidate', '--all', '--json'], FETCHED_AT + 1))).toEqual({
		marked: ['p-1', 'p-2', 'p-3'],
		unknown: [],
	});
	expect(outdated(storeFile)).toEqual(['p-1', 'p-2']);
	expect(printed(createFilledStore([]).file, ['invalidate', '--all'])).toBe(
		'The store has no product to mark.\n',
	);
	expect(() => printed(storeFile.file, ['invalidate', '--all', 'p-1'])).toThrow(
		'Give either --all or product ids, not both.',
	);
});

test('a damaged mark may be of any product, so all are asked for again, and the command says so', () => {
	const storeFile = createFilledStore(['p-1', 'p-2']);
	printed(storeFile.file, ['invalidate', 'p-1'], FETCHED_AT + 1);
	const database = new DatabaseSync(storeFile.file);
	database.exec("UPDATE marks SET pid = 'p-0' WHERE kind = 'mark'");
	database.close();
	expect(printed(storeFile.file, ['invalidate', 'p-0', 'p-2'], FETCHED_AT + 2)).toMatch(
		/^The store was damaged, and may have lost which products have changed\. .*\nMarked 1 product\./,
	);
	expect(outdated(storeFile)).toEqual(['p-1', 'p-2']);
	expect(storeFile.warnings).toEqual([]);
});

test('every account that has a product', () => {
	const storeFile = createFilledStore(['p-1'], ['one', 'two']);
	const third = storeFile.open('three');
	third.flush();
	third.close();
	printed(storeFile.file, ['invalidate', 'p-1'], FETCHED_AT + 1);
	expect(outdated(storeFile, 'one')).toEqual(['p-1']);
	expect(outdated(storeFile, 'two')).toEqual(['p-1']);
	expect(printed(storeFile.file, ['store', 'show', 'p-1']).match(/^mark, account/gm)).toHaveLength(2);
});

test('a product that is not stored is named, and is no error', () => {
	const { file } = createFilledStore(['p-1']);
	expect(printed(file, ['invalidate', 'new'])).toBe(
		'Not in the store, and fetched by the next build anyway: "new".\n',
	);
	expect(printed(file, ['invalidate', 'new', '/p-1/'])).toContain('fetched by the next build anyway');
	expect(JSON.parse(printed(file, ['invalidate', 'p-1', 'new', '--json']))).toEqual({
		marked: ['p-1'],
		unknown: ['new'],
	});
	expect(() => printed(file, ['store', 'show', 'new'])).toThrow('not in the store');
});

test('a store that a build has open, and ids from standard input', async () => {
	const storeFile = createFilledStore(['p-1', 'p-2']);
	const build = storeFile.open();
	const reviews = build.table('reviews');
	expect(reviews.entry('p-1')).toBeDefined();
	const { status, output, errors } = await runCli(['invalidate', '-', '--store', storeFile.file, '--json'], {
		input: 'p-1\r\n\n__proto__\np-1\n',
	});
	expect({ status, errors }).toEqual({ status: 0, errors: '' });
	expect(JSON.parse(output)).toEqual({ marked: ['p-1'], unknown: ['__proto__'] });
	const { fetchedAt = Number.NaN } = reviews.entry('p-1') ?? {};
	// The store of the build sees it at once.
	expect(createRevalidation(build, Date.now).isOutdated('p-1', fetchedAt)).toBe(true);
	build.close();
	expect(storeFile.warnings).toEqual([]);
});

test('standard input without an id is an error', async () => {
	const { file } = createFilledStore(['p-1']);
	const { status, errors } = await runCli(['invalidate', '-', '--store', file], { input: '\n \n' });
	expect(status).toBe(1);
	expect(errors).toContain('Standard input has no product ids. Write one per line.\n');
});
