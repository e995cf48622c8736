import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createFolder } from 'product-reviews-test-support/folder';
import type { ReviewCache } from '../../../src/cache/open-cache.js';
import { digestOf } from '../../../src/cache/values.js';
import { type Dependency, digestOfFragment, nameOfPath, type StoredPage } from '../../../src/pages/page.js';
import { createPageKeys } from '../../../src/pages/page-keys.js';
import { addressFragment } from '../../../src/render/address.js';
import type { Fragment } from '../../../src/render/fragment.js';
import { BuildPages } from '../../../src/session/pages.js';
import { type CurrentContents, type PageResult, updatePages } from '../../../src/update/update-pages.js';

/** A piece of a page: its own text, a fragment, the parts of a section, own markup, or a fragment that the page changes. */
export type SitePiece =
	| { readonly kind: 'text'; readonly text: string }
	| { readonly kind: 'fragment'; readonly pid: string; readonly variant: number }
	| { readonly kind: 'section' | 'own' | 'changed'; readonly pid: string };

/** Text of each product, which may be empty. */
type Products = ReadonlyMap<string, string>;

const BASE = '/shop/';

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
	return { component: 'Fragment', props: { variant: piece.kind === 'fragment' ? piece.variant : 0 } };
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
		show({ ...of, digest: own(text) });
		return `<p>${own(text)}</p>`;
	}
	const fragment = fragmentOf(text, request);
	show({ ...of, request, digest: digestOfFragment(fragment) });
	const { html, parts } = addressFragment(fragment, piece.pid, request);
	if (piece.kind === 'changed') return html.replaceAll('a', 'b').toUpperCase();
	return parts ? `<section>${parts['heading']}<hr>${parts['reviews']}</section>` : html;
}

/** What the service says about the products. @param failing those for which it fails */
function contentsOf(products: Products, failing: ReadonlySet<string> = new Set()): CurrentContents {
	return {
		isKnown: async ({ pid }) => !failing.has(pid),
		versionOf: async ({ pid }) => digestOf(textOf(products, pid)),
		isSameData: async ({ pid, digest }) => own(textOf(products, pid)) === digest,
		fragmentOf: async ({ pid, request }) => {
			const fragment = fragmentOf(textOf(products, pid), request);
			return { fragment, digest: digestOfFragment(fragment) };
		},
	};
}

/**
 * A site without Astro and the service, but with everything between them, whose pages are built into a folder and updated
 * there.
 */
export function createModelSite(
	pages: ReadonlyMap<string, readonly SitePiece[]>,
	products: Products,
	cache: ReviewCache,
) {
	const folder = createFolder();
	const table = cache.pages<StoredPage>();
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
		return (await contents.fragmentOf(dependency)).digest === dependency.digest;
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
			const built = new BuildPages({
				table,
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
		/** An update after one that was killed. @param failing products for which the service fails */
		async update(pids: readonly string[], failing?: ReadonlySet<string>): Promise<PageResult[]> {
			const contents = contentsOf(products, failing);
			const context = { folder, base: BASE, table, contents, isDryRun: false, isResumed: true };
			const results: PageResult[] = [];
			for await (const result of updatePages(table.showing(pids), new Set(pids), context))
				results.push(result);
			return results;
		},
	};
}
