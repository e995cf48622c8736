import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { nameOfPath, type StoredPage } from '../../../src/pages/page.js';
import { createPageKeys } from '../../../src/pages/page-keys.js';
import { BuildPages } from '../../../src/session/pages.js';
import type { ReviewStore } from '../../../src/store/open-store.js';
import { type PageResult, updatePages } from '../../../src/update/update-pages.js';
import { contentsOf, type SiteModel, type SitePiece, writePiece } from './site-model.js';

const BASE = '/shop/';

/** A site without Astro, whose pages are built into a folder and updated there. */
export interface ModelSite {
	/** Path of a page's file. */
	file(path: string): string;
	/** The page as a build would write it now. */
	anew(path: string): string;
	read(path: string): string;
	/**
	 * @param isIncremental whether pages that show the same are taken from a cache.
	 * @returns how many pages were rendered
	 */
	build(isIncremental: boolean): Promise<number>;
	/**
	 * @param failing products for which the service fails.
	 * @param isResumed whether a run before this one was killed.
	 */
	update(pids: readonly string[], failing?: ReadonlySet<string>, isResumed?: boolean): Promise<PageResult[]>;
}

/** Without Astro and the service, but with everything between them. */
export function createModelSite(site: SiteModel, folder: string, store: ReviewStore): ModelSite {
	const { pages, products } = site;
	const table = store.pages<StoredPage>();
	const file = (path: string) => join(folder, fileOf(path));
	/** What Astro keeps of incremental builds. */
	const kept = new Map<string, { readonly key: string; readonly body: string }>();

	return {
		file,
		read: (path) => readFileSync(file(path), 'utf8'),
		anew: (path) => (pages.get(path) ?? []).map((piece) => writePiece(piece, products)).join(''),
		async build(isIncremental) {
			const built = new BuildPages({
				table,
				audit: { add: () => {} },
				base: BASE,
				generation: '',
				changes: undefined,
			});
			if (isIncremental) built.keys = createPageKeys(table, isCurrent);
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
			return rendered;
		},
		async update(pids, failing = new Set(), isResumed = true) {
			const contents = contentsOf(products, failing);
			const context = { folder, base: BASE, table, contents, isDryRun: false, isResumed, now: Date.now };
			const results: PageResult[] = [];
			for await (const result of updatePages(table.showing(pids), new Set(pids), context))
				results.push(result);
			return results;
		},
	};

	async function isCurrent(
		dependency: Parameters<Parameters<typeof createPageKeys>[1]>[0],
	): Promise<boolean> {
		const contents = contentsOf(products, new Set());
		if ((await contents.versionOf(dependency)) === dependency.version) return true;
		if (!dependency.request) return contents.isSameData(dependency);
		return (await contents.fragmentOf(dependency)).digest === dependency.digest;
	}

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
}

/** The file of a page, as Astro's formats have it. */
function fileOf(path: string): string {
	if (path === '') return 'index.html';
	if (path.endsWith('.html')) return path;
	return path.length % 2 === 0 ? `${path}.html` : `${path}/index.html`;
}
