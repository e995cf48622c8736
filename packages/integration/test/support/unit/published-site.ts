import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createPageRecorder } from '../../../src/pages/create-page-recorder.js';
import { createMarks } from '../../../src/pages/marks.js';
import type { StoredPage } from '../../../src/pages/page.js';
import { createPageKeys } from '../../../src/pages/page-keys.js';
import { type PageResult, publishPages } from '../../../src/publish/publish-products.js';
import { createBuildPages } from '../../../src/session/pages.js';
import type { ReviewStore } from '../../../src/store/review-store.js';
import { digestOf } from '../../../src/store/values.js';
import { contentsOf, type SiteModel, type SitePiece, writePiece } from './site-model.js';

const BASE = '/shop/';

/** A site without Astro, whose pages are built into a folder and published there. */
export interface ModelSite {
	/** Path of a page's file. */
	file(path: string): string;
	/** The page as a build would write it now. */
	anew(path: string): string;
	read(path: string): string;
	/**
	 * @param isIncremental whether pages that show the same are taken from a cache.
	 * @param isNoted whether it is noted where fragments are. @default true
	 * @returns how many pages were rendered
	 */
	build(isIncremental: boolean, isNoted?: boolean): Promise<number>;
	/** @param failing products for which the service fails */
	publish(pids: readonly string[], failing?: ReadonlySet<string>): Promise<PageResult[]>;
}

/** Without Astro and the service, but with everything between them. */
export function createModelSite(site: SiteModel, folder: string, store: ReviewStore): ModelSite {
	const { pages, products } = site;
	const table = store.pages<StoredPage>();
	const file = (path: string) => join(folder, fileOf(path));
	/** What Astro keeps of incremental builds. */
	const kept = new Map<string, { readonly key: string; readonly body: Buffer }>();
	let builds = 0;

	return {
		file,
		read: (path) => readFileSync(file(path), 'utf8'),
		anew: (path) => (pages.get(path) ?? []).map((piece) => writePiece(piece, products)).join(''),
		async build(isIncremental, isNoted = true) {
			const recorder = createPageRecorder();
			const keys = isIncremental ? createPageKeys(table, isCurrent, { isNoted }) : undefined;
			const marks = isNoted ? createMarks(digestOf(String(builds++))) : undefined;
			const audit = { add: () => [], addKnown: () => {} };
			const built = createBuildPages({ recorder, audit, keys, marks, table, changes: undefined });
			// As Astro does, before it renders the first page.
			const keyOf = new Map<string, string | undefined>();
			for (const path of pages.keys()) keyOf.set(path, await keys?.keyOf(nameOf(path), 'own'));
			let rendered = 0;
			for (const [path, pieces] of pages) {
				const key = keyOf.get(path);
				const known = kept.get(path);
				const page = { name: nameOf(path), address: BASE + path, isPage: true };
				const isKept = known && known.key === key;
				const body = isKept ? known.body : await built.render(page, () => render(pieces, recorder));
				if (!isKept) rendered += 1;
				if (key !== undefined) kept.set(path, { key, body });
				mkdirSync(dirname(file(path)), { recursive: true });
				writeFileSync(file(path), body);
			}
			built.finish();
			return rendered;
		},
		async publish(pids, failing = new Set()) {
			const contents = contentsOf(products, failing);
			const context = {
				folder,
				base: BASE,
				table,
				flush: store.flush,
				contents,
				isDryRun: false,
				now: Date.now,
			};
			const results: PageResult[] = [];
			for await (const result of publishPages(table.showing(pids), new Set(pids), context))
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

	async function render(pieces: readonly SitePiece[], recorder: ReturnType<typeof createPageRecorder>) {
		await setImmediate();
		const html = pieces.map((piece) =>
			writePiece(piece, products, (dependency, fragment) => {
				if (dependency.request) return recorder.show(dependency, fragment);
				recorder.depend(dependency);
				return fragment;
			}),
		);
		const body: Buffer = Buffer.from(html.join(''));
		return { result: body, read: async () => body, with: (changed: Buffer): Buffer => changed };
	}
}

const nameOf = (path: string) => `page.astro ${path}`;

/** The file of a page, as Astro's formats have it. */
function fileOf(path: string): string {
	if (path === '') return 'index.html';
	if (path.endsWith('.html')) return path;
	return path.length % 2 === 0 ? `${path}.html` : `${path}/index.html`;
}
