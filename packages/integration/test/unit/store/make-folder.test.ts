import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { makeFolder } from '../../../src/store/make-folder.js';
import { openStore } from '../../../src/store/open-store.js';

const ignored = (folder: string) => {
	const file = join(folder, '.gitignore');
	return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
};

test('the folder that a store makes is in no repository', () => {
	const folder = join(createFolder(), '.cache/product-reviews');
	openStore(join(folder, 'reviews.db'), 'account', () => {}).close();
	expect(ignored(folder)).toBe('*\n');
	expect(ignored(join(folder, '..'))).toBeUndefined();
});

test('a folder that is there stays as it is', () => {
	const folder = createFolder();
	makeFolder(folder);
	expect(ignored(folder)).toBeUndefined();
	const own = join(folder, 'own');
	mkdirSync(own);
	writeFileSync(join(own, '.gitignore'), 'mine\n');
	makeFolder(own);
	expect(ignored(own)).toBe('mine\n');
});

test('in node_modules there is nothing to ignore', () => {
	const folder = join(createFolder(), 'node_modules/.astro/product-reviews');
	makeFolder(folder);
	expect(existsSync(folder)).toBe(true);
	expect(ignored(folder)).toBeUndefined();
});

test('a folder that cannot be made is an error', () => {
	const file = join(createFolder(), 'file');
	writeFileSync(file, '');
	expect(() => makeFolder(join(file, 'folder'))).toThrow('ENOTDIR');
});
