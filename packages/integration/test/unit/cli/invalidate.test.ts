import { expect, test } from 'vitest';
import { pack } from '../../../src/store/values.js';
import { printed, run } from '../../support/cli/command.js';
import { createFilledStore, FETCHED_AT } from '../../support/unit/filled-store.js';
import { createRevalidation } from '../../support/unit/session.js';

const invalidate = (file: string, ...args: string[]) =>
	printed(file, ['cache', 'invalidate', ...args], FETCHED_AT + 1);

/** What a build that opens the store now takes for outdated. */
function outdated({ open }: ReturnType<typeof createFilledStore>, account = 'account'): string[] {
	const store = open(account);
	const revalidation = createRevalidation(store, Date.now);
	const reviews = store.table('reviews');
	const found = ['p-1', 'p-2'].filter((pid) =>
		revalidation.isOutdated(pid, reviews.entry(pid)?.fetchedAt ?? Number.POSITIVE_INFINITY),
	);
	store.close();
	return found;
}

test('a build asks for what was marked, and for nothing else', async () => {
	const storeFile = createFilledStore(['p-1', 'p-2']);
	expect(outdated(storeFile)).toEqual([]);
	expect(await invalidate(storeFile.file, 'p-2')).toBe(
		'Marked 1 product. The next build asks the service again, and "astro dev" on the next visit.\n',
	);
	expect(outdated(storeFile)).toEqual(['p-2']);
});

test('--all marks whatever the service sent, stars in lists as well', async () => {
	const storeFile = createFilledStore(['p-1', 'p-2']);
	const store = storeFile.open();
	store.table('rating').put('p-3', pack({}), FETCHED_AT);
	store.close();
	const marked = JSON.parse(await invalidate(storeFile.file, '--all', '--json'));
	expect(marked).toEqual({ marked: ['p-1', 'p-2', 'p-3'], unknown: [] });
	expect(outdated(storeFile)).toEqual(['p-1', 'p-2']);
	expect(await invalidate(createFilledStore([]).file, '--all')).toBe('The cache has no product to mark.\n');
});

test('every account that has a product, and no other', async () => {
	const storeFile = createFilledStore(['p-1'], ['one', 'two']);
	storeFile.open('three').close();
	await invalidate(storeFile.file, 'p-1');
	for (const account of ['one', 'two']) expect(outdated(storeFile, account)).toEqual(['p-1']);
	const shown = await printed(storeFile.file, ['cache', 'show', 'p-1']);
	expect(shown.match(/"kind": "mark"/g)).toHaveLength(2);
});

test('a product that is not stored is named, and is no error', async () => {
	const { file } = createFilledStore(['p-1']);
	expect(await invalidate(file, 'new')).toBe(
		'Not in the cache, and fetched by the next build anyway: "new".\n',
	);
	expect(await invalidate(file, 'new', '/p-1/')).toContain('fetched by the next build anyway');
	const marked = JSON.parse(await invalidate(file, 'p-1', 'new', '--json'));
	expect(marked).toEqual({ marked: ['p-1'], unknown: ['new'] });
	await expect(printed(file, ['cache', 'show', 'new'])).rejects.toThrow('not in the cache');
});

test('a store that a build has open, and ids from standard input', async () => {
	const storeFile = createFilledStore(['p-1', 'p-2']);
	const build = storeFile.open();
	const reviews = build.table('reviews');
	const { fetchedAt = Number.NaN } = reviews.entry('p-1') ?? {};
	const invalidateLines = (input: string) =>
		run(['cache', 'invalidate', '-', '--cache-file', storeFile.file, '--json'], { input });
	const { status, output, errors } = await invalidateLines('p-1\r\n\n__proto__\np-1\n');
	expect([status, errors]).toEqual([0, '']);
	expect(JSON.parse(output)).toEqual({ marked: ['p-1'], unknown: ['__proto__'] });
	// The store of the build sees it at once.
	expect(createRevalidation(build, Date.now).isOutdated('p-1', fetchedAt)).toBe(true);
	build.close();
	expect(storeFile.warnings).toEqual([]);
	const none = await invalidateLines('\n \n');
	expect([none.status, none.errors]).toEqual([
		1,
		expect.stringContaining('Standard input has no product ids. Write one per line.\n'),
	]);
});
