import {
	existsSync,
	mkdirSync,
	readFileSync,
	renameSync,
	rmdirSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { createFolder } from 'product-reviews-test-support/folder';
import { expect, test } from 'vitest';
import { digestOf } from '../../../src/base/digest.js';
import { nameOfPath } from '../../../src/base/paths.js';
import { CacheFile } from '../../../src/cache/cache-file.js';
import { type Dependency, PageStore } from '../../../src/cache/page-store.js';
import { BuildPages, createPageKeys } from '../../../src/pages/build-pages.js';
import { digestOfFragment, holdsOnly } from '../../../src/pages/page-row.js';
import { addressFragment } from '../../../src/render/address.js';
import type { Fragment } from '../../../src/render/fragment.js';
import { type CurrentContents, type PageResult, updatePages } from '../../../src/update/compare-pages.js';
import { change, createCacheFile } from '../../support/unit/cache.js';
import { times } from '../../support/unit/fuzz.js';

/**
 * A piece of a page: its own text, a fragment, one that was rendered for another page or for none, the parts of a section,
 * own markup, or a fragment that the page changes.
 */
type SitePiece =
	| { readonly kind: 'text'; readonly text: string }
	| { readonly kind: 'fragment' | 'slot'; readonly pid: string; readonly variant: number }
	| { readonly kind: 'section' | 'own' | 'changed'; readonly pid: string };

/** Text of each product, which may be empty. */
type Products = ReadonlyMap<string, string>;

const BASE = '/shop/';
const ELSEWHERE = 'it has reviews that were rendered for no page of this build';
const BUILD = { id: 'build', account: 'account' };

const textOf = (products: Products, pid: string) => products.get(pid) ?? '';

/** What own markup shows of a text. */
const own = (text: string) => String(text.length);

/** What components write about a text. One shows little of it, as stars do, and is often the same for two products. */
function fragmentOf(given: string, request: Dependency['request']): Fragment {
	const facts: Fragment['facts'] = [];
	if (given === '') return { html: '', facts };
	const text = given.replace(/[<>&"]/g, (character) => `&#${character.codePointAt(0)};`);
	if (request?.component === 'Section') {
		const rest = [...given].length > 1 ? `<div><div>${text}</div></div>` : '';
		return { html: '', facts, parts: { heading: `<h2>${text}</h2>`, reviews: rest } };
	}
	const html = [`<p title="${text}"><p>${text}</p></p>`, `<b>${text}</b>`, `<i>${given.length % 2}</i>`];
	return { html: html[Number(request?.props['variant'])] ?? '', facts };
}

function requestOf(piece: SitePiece): Dependency['request'] {
	if (piece.kind === 'own' || piece.kind === 'text') return undefined;
	if (piece.kind === 'section') return { component: 'Section', props: { slots: ['after'] } };
	return { component: 'Fragment', props: { variant: 'variant' in piece ? piece.variant : 0 } };
}

/** The html of a piece. @param show records what the page shows */
function writePiece(
	piece: SitePiece,
	products: Products,
	show: (one: Dependency) => void = () => {},
): string {
	if (piece.kind === 'text') return piece.text;
	const text = textOf(products, piece.pid);
	const of = { pid: piece.pid, from: 'reviews', version: digestOf(text) } as const;
	const request = requestOf(piece);
	if (!request) {
		show({ ...of, held: [own(text)] });
		return `<p>${own(text)}</p>`;
	}
	const fragment = fragmentOf(text, request);
	if (piece.kind !== 'slot') show({ ...of, request, held: [digestOfFragment(fragment)] });
	const { html, parts } = addressFragment(fragment, piece.pid, request);
	if (piece.kind === 'changed') return html.replaceAll('a', 'b').toUpperCase();
	return parts ? `<section>${parts['heading']}<hr>${parts['reviews']}</section>` : html;
}

/** What the service says about the products. @param failing those for which it fails */
function contentsOf(products: Products, failing: ReadonlySet<string> = new Set()): CurrentContents {
	return {
		isKnown: async ({ pid }) => !failing.has(pid),
		versionOf: async ({ pid }) => digestOf(textOf(products, pid)),
		isSameData: async ({ pid, held }) => holdsOnly(held, own(textOf(products, pid))),
		fragmentOf: async ({ pid, request }) => {
			const fragment = fragmentOf(textOf(products, pid), request);
			return { ...fragment, version: undefined, digest: digestOfFragment(fragment) };
		},
	};
}

/**
 * A site without Astro and the service, but with everything between them, whose pages are built into a folder and updated
 * there.
 */
function createModelSite(
	pages: ReadonlyMap<string, readonly SitePiece[]>,
	products: Products,
	store: PageStore,
) {
	const folder = createFolder();
	/** Path of a page's file, as Astro's formats have it. */
	const file = (path: string) => {
		if (path === '') return join(folder, 'index.html');
		if (path.endsWith('.html')) return join(folder, path);
		return join(folder, path.length % 2 === 0 ? `${path}.html` : `${path}/index.html`);
	};
	/** What Astro keeps of incremental builds. */
	const kept = new Map<string, { readonly key: string; readonly body: string }>();

	const isCurrent: Parameters<typeof createPageKeys>[1] = async (dependency) => {
		const contents = contentsOf(products);
		if ((await contents.versionOf(dependency)) === dependency.version) return true;
		if (!dependency.request) return contents.isSameData(dependency);
		return holdsOnly(dependency.held, (await contents.fragmentOf(dependency)).digest);
	};

	/** A page that waits before every piece. */
	async function render(pieces: readonly SitePiece[], address: string, built: BuildPages): Promise<string> {
		const html: string[] = [];
		for (const piece of pieces) {
			await setImmediate();
			built.keepIdle();
			html.push(writePiece(piece, products, (one) => built.of(address).dependencies.push(one)));
		}
		return html.join('');
	}

	return {
		folder,
		file,
		read: (path: string) => readFileSync(file(path), 'utf8'),
		/** The page as a build would write it now. */
		anew: (path: string) => (pages.get(path) ?? []).map((piece) => writePiece(piece, products)).join(''),
		/** @param isIncremental whether pages that show the same are taken from a cache. @returns how many were rendered */
		async build(isIncremental: boolean): Promise<number> {
			const built = new BuildPages({ store, base: BASE, changes: undefined });
			if (isIncremental) built.keys = createPageKeys(store, isCurrent);
			// As Astro does, before it renders the first page.
			const keyOf = new Map<string, string | undefined>();
			for (const path of pages.keys()) keyOf.set(path, await built.keys?.keyOf(nameOfPath(path), 'own'));
			let rendered = 0;
			for (const [path, pieces] of pages) {
				const key = keyOf.get(path);
				const known = kept.get(path);
				const isKept = known && known.key === key;
				const address = BASE + path;
				const write = () => render(pieces, address, built);
				const body = isKept ? known.body : await (isIncremental ? built.render(address, write) : write());
				if (!isKept) rendered += 1;
				if (key !== undefined) kept.set(path, { key, body });
				mkdirSync(dirname(file(path)), { recursive: true });
				writeFileSync(file(path), body);
			}
			built.finish();
			const files = [...pages.keys()].map((path) => relative(folder, file(path)));
			await built.match(files, folder, (pid) => digestOf(textOf(products, pid)));
			built.end([], BUILD, false, { listed: [], named: [] });
			return rendered;
		},
		/**
		 * An update, which also does what one that was killed has left. @param failing products for which the service fails
		 * @param isKilled whether it is killed before it ends
		 */
		async update(
			given: readonly string[],
			failing: ReadonlySet<string> = new Set(),
			isKilled = false,
		): Promise<PageResult[]> {
			const unfinished = store.pending().flatMap((name) => store.get(name)?.row.dependencies ?? []);
			const pids = new Set([...unfinished.map(({ pid }) => pid), ...given]);
			const shown = store.shown([...pids]);
			const results: PageResult[] = [];
			for await (const result of updatePages(
				[...new Set(shown.flatMap((one) => one.pages))].toSorted(),
				pids,
				{
					...{ folder, base: BASE, store, contents: contentsOf(products, failing), isDryRun: false },
					...{ root: folder, copies: [], unrecorded: [] },
					written: new Set(),
				},
			))
				results.push(result);
			if (isKilled) return results;
			const left = new Set(results.flatMap(({ name, isDone }) => (isDone ? [] : [name])));
			store.end(
				results.flatMap(({ name, isDone }) => (isDone ? [name] : [])),
				shown
					.filter(({ pid, pages }) => !failing.has(pid) && !pages.some((name) => left.has(name)))
					.map((one) => ({ ...one, version: digestOf(textOf(products, one.pid)) })),
				results.flatMap(({ files = [] }) => files),
			);
			expect(store.pending().filter((name) => !left.has(name))).toEqual([]);
			return results;
		},
	};
}

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
const slot = fc.record({ kind: fc.constant('slot' as const), pid, variant: fc.constantFrom(1, 2) });
const piece: fc.Arbitrary<SitePiece> = fc.oneof(
	{ arbitrary: fc.record({ kind: fc.constant('text' as const), text }), weight: 6 },
	{ arbitrary: fragment, weight: 8 },
	{ arbitrary: slot, weight: 1 },
	{ arbitrary: fc.record({ kind: fc.constantFrom('section', 'own', 'changed'), pid }), weight: 1 },
);
const site = fc.record({
	pages: fc.array(fc.array(piece, { maxLength: 6 }), { minLength: PATHS.length, maxLength: PATHS.length }),
	products: fc.tuple(text, text, text, text),
});
const step = fc.oneof(
	{ arbitrary: fc.record({ kind: fc.constant('edit' as const), pid, text }), weight: 4 },
	{
		arbitrary: fc.record({
			...{ kind: fc.constant('update' as const), pids, failing: fc.subarray(PIDS) },
			isKilled: fc.boolean(),
		}),
		weight: 3,
	},
	{ arbitrary: fc.record({ kind: fc.constant('build' as const), isIncremental: fc.boolean() }), weight: 1 },
);

test('whatever is edited, updated, killed and built, in whatever order: pages are as if built anew, or said to need it', async () => {
	const { file } = createCacheFile();
	let sites = 0;
	await fc.assert(
		fc.asyncProperty(site, fc.array(step, { minLength: 4, maxLength: 14 }), async (given, steps) => {
			const cache = CacheFile.forBuild(file, (message) => expect.unreachable(message));
			const store = new PageStore(cache, `site-${sites++}`);
			const pages = new Map(PATHS.map((path, index) => [path, given.pages[index] ?? []]));
			const products = new Map(PIDS.map((id, index) => [id, given.products[index] ?? '']));
			const model = createModelSite(pages, products, store);
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
					const pending = new Set(store.pending());
					const results = await model.update(one.pids, failing, one.isKilled);
					for (const id of one.pids) if (!failing.has(id)) untold.delete(id);
					for (const path of PATHS) {
						const result = results.find(({ name }) => name === path);
						const now = model.read(path);
						if (!result?.files?.length) expect(now).toBe(before.get(path));
						// The file of one that a killed update left may be as it should be.
						else if (!pending.has(result.name)) expect(now).not.toBe(before.get(path));
						if (result?.reason !== undefined) {
							// Of html that no page was rendered with, nobody knows whether it would be the same.
							if (result.reason !== ELSEWHERE) expect(now).not.toBe(model.anew(path));
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
			const store = createCacheFile().openBoth().pages;
			const products = new Map(['p-1', 'p-2'].map((id) => [id, 'old']));
			const page = ['p-1', 'p-2'].map((pid): SitePiece => ({ kind: 'fragment', pid, variant: 0 }));
			const model = createModelSite(new Map([[path, page]]), products, store);
			await model.build(false);
			products.set('p-1', 'new');
			const unfinished = `${model.file(path)}.product-reviews-tmp`;
			if (isWritten) await model.update(['p-1'], new Set(), true);
			else {
				mkdirSync(unfinished);
				await expect(model.update(['p-1'])).rejects.toThrow();
				rmdirSync(unfinished);
			}
			expect(model.read(path).includes('>new<')).toBe(isWritten);
			writeFileSync(unfinished, 'half');
			products.set('p-1', text);
			// Whatever was given: it is finished, even if the reviews are as they were before.
			expect(await model.update([])).toMatchObject([{ files: [file], isDone: true }]);
			expect(model.read(path)).toBe(model.anew(path));
			expect(existsSync(unfinished)).toBe(false);
			expect((await model.update(['p-1', 'p-2'])).filter((one) => one.files?.length)).toEqual([]);
			expect([...store.undelivered().keys()]).toEqual([file]);
		}
	},
);

test('a page of which the cache has only the name is left to a build, and an index that is damaged is an error', async () => {
	const cacheFile = createCacheFile();
	const { store, pages: written } = cacheFile.openBoth();
	const pages = new Map([['a', [{ kind: 'fragment', pid: 'p-1', variant: 0 } as const]]]);
	const products = new Map([['p-1', 'old']]);
	await createModelSite(pages, products, written).build(false);
	store.close();
	change(cacheFile.file, "UPDATE pages SET row = replace(row, 'p-1', 'p-2')");
	const update = () => createModelSite(pages, products, cacheFile.openBoth().pages).update(['p-1']);
	const reason = 'what the cache had of it is damaged';
	expect(await update()).toEqual([{ page: 'a', name: 'a', reason, isDone: false, pids: [] }]);
	change(cacheFile.file, "UPDATE page_products SET version = ''");
	await expect(update()).rejects.toThrow('the index of its pages is damaged');
});

test('a page that another tool changed elsewhere is updated, and one whose addresses it took or copied is not', async () => {
	const paths = ['kept', 'unquoted', 'copied', 'gone'];
	const page = [{ kind: 'fragment', pid: 'p-1', variant: 0 } as const];
	const products = new Map([['p-1', 'old']]);
	const pages = new Map(paths.map((path) => [path, page]));
	const model = createModelSite(pages, products, createCacheFile().openBoth().pages);
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
		expect(results).toContainEqual({
			page: `/shop/${path}`,
			name: path,
			reason,
			isDone: false,
			pids: ['p-1'],
		});
	expect(model.read('kept')).toBe(
		`<!doctype html><style>p{color:red}</style>${model.anew('kept')}<script>"</p>"</script>`,
	);
});

test.each<[string, SitePiece['kind'], before: string, change: (html: string) => string, reason: RegExp]>([
	[
		'a fragment without its comment',
		'fragment',
		'',
		withoutComments,
		/^a comment of a component .* was removed:.*data-pr/,
	],
	['a section without its comment', 'section', '', withoutComments, /^a comment of a component/],
	['a section without the comment of a part', 'section', 'x', withoutComments, /^a comment of a component/],
	['a section that appears', 'section', '', (html) => html, /^a <ReviewSection> with slots appears/],
	['a section whose parts are gone', 'section', 'long', () => '', /^the html of its components was changed/],
])('%s is left, and the reason is said', async (_what, kind, before, change, reason) => {
	const products = new Map([['p-1', before]]);
	const pages = new Map([['a', [{ kind, pid: 'p-1', variant: 0 } as SitePiece]]]);
	const model = createModelSite(pages, products, createCacheFile().openBoth().pages);
	await model.build(false);
	writeFileSync(model.file('a'), change(model.read('a')));
	products.set('p-1', 'new');
	expect(await model.update(['p-1'])).toMatchObject([
		{ page: '/shop/a', reason: expect.stringMatching(reason) },
	]);
});

/** Does what minifiers do. */
function withoutComments(html: string): string {
	return html.replaceAll(/<!--.*?-->/g, '');
}

/** A site with so many pages of one product, which changed after they were built. */
async function createChangedSite(count: number) {
	const paths = Array.from({ length: count }, (_, at) => `page${at}.html`);
	const pages = new Map(paths.map((path) => [path, [{ kind: 'fragment', pid: 'p-1', variant: 0 } as const]]));
	const products = new Map([['p-1', 'old']]);
	const model = createModelSite(pages, products, createCacheFile().openBoth().pages);
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
