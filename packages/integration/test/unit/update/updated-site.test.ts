import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test, vi } from 'vitest';
import type { StoredPage } from '../../../src/pages/page.js';
import { createCacheFile } from '../../support/unit/cache.js';
import { times } from '../../support/unit/fuzz.js';
import { createModelSite, type SitePiece } from '../../support/unit/model-site.js';

const PIDS = ['p-1', 'p-2', 'größe', '漢'];
const PATHS = ['', 'a', 'bb', 'ä ö', 'a/b', 'a/bb'];

const pid = fc.constantFrom(...PIDS);
const pids = fc.uniqueArray(pid, { minLength: 1 });
const text = fc.oneof(
	fc.constant(''),
	fc.string({ unit: 'grapheme', maxLength: 6 }),
	fc.constantFrom('a', 'aa', '<!-- -->', '\r\n', '😀', '$&'),
);
const fragment = fc.record({ kind: fc.constant('fragment' as const), pid, variant: fc.nat(2) });
const piece: fc.Arbitrary<SitePiece> = fc.oneof(
	{ arbitrary: fc.record({ kind: fc.constant('text' as const), text }), weight: 6 },
	{ arbitrary: fragment, weight: 8 },
	{ arbitrary: fc.record({ kind: fc.constantFrom('section', 'own', 'changed'), pid }), weight: 1 },
);
const site = fc.record({
	pages: fc.array(fc.array(piece, { maxLength: 6 }), { minLength: PATHS.length, maxLength: PATHS.length }),
	products: fc.tuple(text, text, text, text),
});
const step = fc.oneof(
	{ arbitrary: fc.record({ kind: fc.constant('edit' as const), pid, text }), weight: 4 },
	{
		arbitrary: fc.record({ kind: fc.constant('update' as const), pids, failing: fc.subarray(PIDS) }),
		weight: 3,
	},
	{ arbitrary: fc.record({ kind: fc.constant('build' as const), isIncremental: fc.boolean() }), weight: 1 },
);

test('whatever is edited, updated and built, in whatever order: pages are as if built anew, or said to need it', async () => {
	const cacheFile = createCacheFile();
	let sites = 0;
	await fc.assert(
		fc.asyncProperty(site, fc.array(step, { minLength: 4, maxLength: 14 }), async (given, steps) => {
			const cache = cacheFile.open(`account-${sites++}`);
			const pages = new Map(PATHS.map((path, index) => [path, given.pages[index] ?? []]));
			const products = new Map(PIDS.map((id, index) => [id, given.products[index] ?? '']));
			const model = createModelSite(pages, products, cache);
			/** Products whose new text the site was not told yet, or could not get. */
			const untold = new Set<string>();
			/** Pages that were said to need a build. */
			const toBuild = new Set<string>();
			const shows = (path: string, of: ReadonlySet<string>) =>
				pages.get(path)?.some((one) => 'pid' in one && of.has(one.pid)) ?? false;
			await model.build(true);
			for (const one of steps) {
				if (one.kind === 'edit') {
					products.set(one.pid, one.text);
					untold.add(one.pid);
				} else if (one.kind === 'build') {
					await model.build(one.isIncremental);
					untold.clear();
					toBuild.clear();
					for (const path of PATHS) expect(model.read(path)).toBe(model.anew(path));
				} else {
					const before = new Map(PATHS.map((path) => [path, model.read(path)]));
					const failing = new Set(one.failing);
					const results = await model.update(one.pids, failing);
					for (const id of one.pids) if (!failing.has(id)) untold.delete(id);
					for (const path of PATHS) {
						const result = results.find(({ page }) => page === `/shop/${path}`);
						const now = model.read(path);
						if (result?.files === undefined) expect(now).toBe(before.get(path));
						else expect(now).not.toBe(before.get(path));
						if (result?.reason !== undefined) {
							expect(now).not.toBe(model.anew(path));
							toBuild.add(path);
						} else if (!toBuild.has(path) && !shows(path, untold) && !shows(path, failing)) {
							expect(now).toBe(model.anew(path));
						}
					}
				}
			}
			await model.update(PIDS);
			for (const path of PATHS.filter((path) =>
				pages.get(path)?.every(({ kind }) => kind === 'text' || kind === 'fragment'),
			))
				expect(model.read(path)).toBe(model.anew(path));
			await model.build(true);
			for (const path of PATHS) expect(model.read(path)).toBe(model.anew(path));
			// Nothing changed since, so nothing is rendered.
			expect(await model.build(true)).toBe(0);
			cache.close();
		}),
		times(40),
	);
});

test.each([
	['before it wrote files', 'a', 'a/index.html', false],
	['after it wrote files', 'a', 'a/index.html', true],
	['on a page whose address ends like a file', 'pages.html', 'pages.html', true],
	['on a page whose name is nearly too long', 'a'.repeat(235), `${'a'.repeat(235)}/index.html`, false],
])(
	'an update that was killed %s is completed by the next one, which names the file',
	async (_when, path, file, isWritten) => {
		for (const text of ['new', 'newer', 'old']) {
			const cache = createCacheFile().open();
			const products = new Map(['p-1', 'p-2'].map((id) => [id, 'old']));
			const page = ['p-1', 'p-2'].map((pid): SitePiece => ({ kind: 'fragment', pid, variant: 0 }));
			const model = createModelSite(new Map([[path, page]]), products, cache);
			await model.build(false);
			products.set('p-1', 'new');
			// What a killed run leaves: the new file, or a part of it beside it, and nothing in the cache.
			if (isWritten) writeFileSync(model.file(path), model.anew(path));
			writeFileSync(`${model.file(path)}.product-reviews-tmp`, 'new');
			products.set('p-1', text);
			// It may be as the cache has it again, but the file is not.
			const isNews = isWritten || text !== 'old';
			expect(await model.update(['p-1'])).toMatchObject(isNews ? [{ files: [file] }] : [{ found: [file] }]);
			expect(model.read(path)).toBe(model.anew(path));
			expect(existsSync(`${model.file(path)}.product-reviews-tmp`)).toBe(false);
			expect((await model.update(['p-1', 'p-2'])).filter((one) => one.files)).toEqual([]);
		}
	},
);

test('a page that the cache knows only by name is left to a build', async () => {
	const cache = createCacheFile().open();
	const table = cache.pages<StoredPage>();
	let isDamaged = false;
	const get = (page: string) => (isDamaged ? undefined : table.get(page));
	vi.spyOn(cache, 'pages').mockReturnValue({ ...table, get } as never);
	const pages = new Map([['a', [{ kind: 'fragment', pid: 'p-1', variant: 0 } as const]]]);
	const model = createModelSite(pages, new Map([['p-1', 'old']]), cache);
	await model.build(false);
	isDamaged = true;
	const reason = 'what the cache had of it is damaged';
	expect(await model.update(['p-1'])).toEqual([{ page: 'a', reason, pids: [] }]);
});

test('a page that another tool changed elsewhere is updated, and one whose addresses it took or copied is not', async () => {
	const paths = ['kept', 'unquoted', 'copied', 'gone'];
	const page = [{ kind: 'fragment', pid: 'p-1', variant: 0 } as const];
	const products = new Map([['p-1', 'old']]);
	const pages = new Map(paths.map((path) => [path, page]));
	const model = createModelSite(pages, products, createCacheFile().open());
	await model.build(false);
	const edit = (path: string, change: (html: string) => string) =>
		writeFileSync(model.file(path), change(model.read(path)));
	edit('kept', (html) => `<!doctype html><style>p{color:red}</style>${html}<script>"</p>"</script>`);
	edit('unquoted', (html) => html.replace(/data-pr="(\S+) (\S+)"/, 'data-pr=$1&#32;$2'));
	edit('copied', (html) => html + html);
	edit('gone', () => '');
	products.set('p-1', 'new');
	const results = await model.update(['p-1']);
	const reason = 'the html of its components was changed after they wrote it';
	for (const path of paths.slice(1))
		expect(results).toContainEqual({ page: `/shop/${path}`, reason, pids: ['p-1'] });
	expect(model.read('kept')).toBe(
		`<!doctype html><style>p{color:red}</style>${model.anew('kept')}<script>"</p>"</script>`,
	);
});

/** A site with so many pages of one product, which changed after they were built. */
async function createChangedSite(count: number) {
	const paths = Array.from({ length: count }, (_, at) => `page${at}.html`);
	const pages = new Map(paths.map((path) => [path, [{ kind: 'fragment', pid: 'p-1', variant: 0 } as const]]));
	const products = new Map([['p-1', 'old']]);
	const model = createModelSite(pages, products, createCacheFile().open());
	await model.build(false);
	products.set('p-1', 'new');
	const read = () => paths.map(model.read);
	return { folder: model.folder, model, read };
}

test('an update that cannot write a file has stopped writing when it fails', async () => {
	const { folder, model, read } = await createChangedSite(60);
	mkdirSync(join(folder, 'page3.html.product-reviews-tmp/a'), { recursive: true });
	await expect(model.update(['p-1'])).rejects.toThrow(/product-reviews-tmp/);
	const after = read();
	expect(after.filter((text) => text.includes('>new<')).length).toBeLessThan(60);
	await setTimeout(300);
	expect(read()).toEqual(after);
});

test('compressed copies are renewed and named with their page, also those of a link; a folder of that name is none', async () => {
	const { folder, model } = await createChangedSite(3);
	const [copied, linked] = ['page0.html', 'page1.html'];
	const zipped = (name: string) => gunzipSync(readFileSync(join(folder, `${name}.gz`))).toString();
	for (const name of [copied, linked]) writeFileSync(join(folder, `${name}.gz`), gzipSync('old'));
	mkdirSync(join(folder, 'page2.html.br'));
	renameSync(join(folder, linked), join(folder, 'real.html'));
	symlinkSync('real.html', join(folder, linked));
	writeFileSync(join(folder, 'real.html.gz'), gzipSync('old'));
	const results = await model.update(['p-1']);
	expect(results.flatMap(({ files }) => files ?? []).toSorted()).toEqual(
		[copied, `${copied}.gz`, linked, `${linked}.gz`, 'page2.html', 'real.html', 'real.html.gz'].toSorted(),
	);
	for (const name of [copied, linked, 'real.html']) expect(zipped(name)).toContain('>new<');
});

test('a page that is a link out of the output folder is left as it is', async () => {
	const { folder, model } = await createChangedSite(1);
	const outside = join(createFolder(), 'page.html');
	renameSync(join(folder, 'page0.html'), outside);
	symlinkSync(outside, join(folder, 'page0.html'));
	const reason = 'its file is a link that leads out of the output folder';
	expect(await model.update(['p-1'])).toMatchObject([{ page: '/shop/page0.html', reason }]);
	expect(readFileSync(outside, 'utf8')).toContain('>old<');
});
