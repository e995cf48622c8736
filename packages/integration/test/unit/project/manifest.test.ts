import {
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { CACHE_FILE, MANIFEST_FILE, POINTER_FILE, POINTER_FOLDER, VERSION } from '../../../src/constants.js';
import {
	findCache,
	type Manifest,
	openOutput,
	pointToCache,
	readManifest,
	writeManifest,
} from '../../../src/project/manifest.js';
import { lockOutput } from '../../../src/project/output.js';

const MANIFEST: Omit<Manifest, 'root' | 'outDir' | 'folder'> = {
	...{ id: 'a-build', account: 'account', at: 1, isComplete: true, version: VERSION },
	...{ envFolder: false, mode: 'production' },
	...{ configFile: undefined, config: undefined, site: undefined, base: '/', shard: undefined },
	...{
		provider: undefined,
		bundle: undefined,
		baseUrl: 'https://reviews.example',
		wsid: 'W-1',
		hasToken: false,
	},
	...{ options: {} as Manifest['options'], settings: { display: 'visible', labels: {} } },
	...{ hasRatingsFile: false, storage: undefined, hasChanges: false, copied: undefined },
};

/** Writes what a build leaves. @param folder of its cache @returns the cache's file */
function build(root: string, outDir: string, folder: string, more: Partial<Manifest> = {}): string {
	const cacheFile = join(folder, CACHE_FILE);
	for (const made of [folder, join(root, outDir)]) mkdirSync(made, { recursive: true });
	writeFileSync(cacheFile, '');
	writeManifest(cacheFile, { ...MANIFEST, root, outDir, folder: outDir, ...more });
	pointToCache({ root, outDir: join(root, outDir), cacheFile });
	return cacheFile;
}

const pointerOf = (root: string) => join(root, POINTER_FOLDER, POINTER_FILE);

test('the pointer has a relative path for each output folder, in a project with or without node_modules', () => {
	const root = createFolder();
	build(root, 'dist', join(root, '.cache/product-reviews'));
	build(root, 'test/dist', `${root}-outside`);
	expect(JSON.parse(readFileSync(pointerOf(root), 'utf8'))).toEqual({
		dist: '.cache/product-reviews/manifest.json',
		'test/dist': `../${root.split('/').at(-1)}-outside/manifest.json`,
	});
	expect(readdirSync(join(root, POINTER_FOLDER))).toEqual([POINTER_FILE]);
	rmSync(`${root}-outside`, { recursive: true });
	build(root, 'dist', join(root, '.other'));
	expect(JSON.parse(readFileSync(pointerOf(root), 'utf8'))).toEqual({ dist: '.other/manifest.json' });
});

test('the newest build counts whose output is there, and its name is said if there is a choice', () => {
	const root = createFolder();
	const first = build(root, 'dist', join(root, 'one'), { at: 2 });
	expect(findCache(root)).toEqual({ file: first, notice: undefined });
	const second = build(root, 'test/dist', join(root, 'two'), { at: 3 });
	expect(findCache(root)).toEqual({
		file: second,
		notice:
			'This project was built into "dist" and "test/dist", each with a cache of its own. The newest build counts: "test/dist".',
	});
	build(root, 'dist', join(root, 'one'), { at: 4 });
	expect(findCache(root).file).toBe(first);
	expect(findCache(root, './test/dist/')).toEqual({ file: second, notice: undefined });
	rmSync(join(root, 'dist'), { recursive: true });
	expect(findCache(root).file).toBe(second);
});

test('a project behind a link, or moved as a whole, keeps its cache, but a build of another folder is not updated', () => {
	const parent = createFolder();
	const [root, link, moved] = [join(parent, 'shop'), join(parent, 'link'), join(parent, 'moved')];
	mkdirSync(root);
	symlinkSync(root, link);
	const outside = build(link, 'dist', join(parent, 'cache'));
	for (const place of [root, link]) {
		expect(findCache(place).file).toBe(outside);
		expect(openOutput({ cacheFile: outside, root: place })).toMatchObject({ build: { id: 'a-build' } });
	}
	const inside = build(root, 'dist', join(root, '.cache'));
	renameSync(root, moved);
	const { file, notice } = findCache(moved);
	expect([file, notice]).toEqual([join(moved, '.cache', CACHE_FILE), undefined]);
	expect(openOutput({ cacheFile: file, root: moved }).reason).toContain('was made in another folder');
	expect(inside).not.toBe(file);
});

test.each([
	['missing', (file: string) => rmSync(file)],
	['cut', (file: string) => writeFileSync(file, readFileSync(file, 'utf8').slice(0, 12))],
	['a text', (file: string) => writeFileSync(file, '"dist"')],
	['nothing', (file: string) => writeFileSync(file, 'null')],
	['of other values', (file: string) => writeFileSync(file, '{"dist":7}')],
])('a pointer that is %s counts as none: the cache at the default place is named', (_, change) => {
	const root = createFolder();
	build(root, 'dist', join(root, 'elsewhere'));
	change(pointerOf(root));
	const file = join(root, 'node_modules/.astro/product-reviews', CACHE_FILE);
	expect(findCache(root)).toEqual({ file, notice: undefined });
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, '');
	expect(findCache(root)).toEqual({
		file,
		notice: `No build has written to "${POINTER_FOLDER}" where its cache is. The one at "node_modules/.astro/product-reviews/${CACHE_FILE}" is used.`,
	});
	// The next build writes it anew.
	expect(findCache(root, 'dist', build(root, 'dist', join(root, 'third'))).file).toContain('third');
});

test('a server updates its own output folder, and not that of a later build with the same cache', () => {
	const root = createFolder();
	const cacheFile = build(root, 'dist', join(root, 'cache'));
	expect(openOutput({ cacheFile, root, outDir: 'dist' }).build).toBeDefined();
	build(root, 'test/dist', join(root, 'cache'));
	expect(openOutput({ cacheFile, root, outDir: 'dist' }).reason).toContain(
		'another output folder, test/dist',
	);
	expect(openOutput({ cacheFile, root }).build).toMatchObject({ outDir: 'test/dist' });
});

test.each<[string, (text: string) => string]>([
	['without a field', (text) => text.replace('"id": "a-build",', '')],
	[
		'with options of another type',
		(text) => text.replace(/"options": \{[^}]*\}/, '"options": {"retries": "3"}'),
	],
	['with another address', (text) => text.replace('"https://reviews.example"', '{}')],
	['with another storage', (text) => text.replace('"options"', '"storage": {}, "options"')],
	['that is cut', (text) => text.slice(0, 40)],
	['of nothing', () => 'null'],
])('a manifest %s is none, and an update says that it was changed', (_what, change) => {
	const root = createFolder();
	const options = { retries: 3 } as Manifest['options'];
	const cacheFile = build(root, 'dist', join(root, 'cache'), { options });
	expect(readManifest(cacheFile)).toMatchObject({ id: 'a-build', account: 'account' });
	const file = join(root, 'cache', MANIFEST_FILE);
	const text = readFileSync(file, 'utf8');
	writeFileSync(file, change(text));
	expect(readFileSync(file, 'utf8')).not.toBe(text);
	expect(openOutput({ cacheFile, root })).toEqual({
		reason: 'the record of the last build was changed or damaged: run "astro build" once',
	});
	writeFileSync(file, JSON.stringify(JSON.parse(text)));
	expect(openOutput({ cacheFile, root }).build).toMatchObject({ id: 'a-build' });
});

test('one process at a time has an output folder, whatever its cache and the way to it', async () => {
	const root = createFolder();
	mkdirSync(join(root, 'real'));
	symlinkSync(join(root, 'real'), join(root, 'link'));
	const lock = (outDir: string) =>
		lockOutput({ root, outDir: join(root, outDir), patience: 0, onWait: () => {} });
	const unlock = await lock('real');
	expect(await lock('link')).toBeUndefined();
	const other = await lock('other');
	expect(other).toBeDefined();
	unlock?.();
	const again = await lock('link');
	expect(again).toBeDefined();
	for (const release of [other, again]) release?.();
});
