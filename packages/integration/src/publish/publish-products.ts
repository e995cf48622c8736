import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { inParallel } from '../collections/in-parallel.js';
import { type FileProof, isSameProof, productsOf, type StoredPage } from '../pages/page.js';
import type { FragmentSettings } from '../render/fragment.js';
import type { LastBuild } from '../session/last-build.js';
import type { OpenReviews } from '../session/open-reviews.js';
import { createFragments, createProductData, digestOfFragment, digestOfRating } from '../session/source.js';
import type { PageTable } from '../store/review-store.js';
import { pack } from '../store/values.js';
import { copiesOf, type FoundFile, fileNames, findFile, removeUnfinished, replaceFile } from './files.js';
import { type CurrentContents, editPage, planPage } from './plan-page.js';
import type { FailedProduct, Published } from './run-publish.js';

/** Products asked for together. Their pages are written before the next ones are asked for. */
const BATCH = 100;

/** What products are published with. */
export interface ProductsContext {
	readonly reviews: OpenReviews;
	readonly build: LastBuild;
	/** Absolute path of the output folder. */
	readonly folder: string;
	readonly isDryRun: boolean;
	/** Pages that changed since then count, even if an earlier run wrote them. In milliseconds since 1970. */
	readonly since: number;
	/** Milliseconds since 1970. */
	readonly now: () => number;
	/** Called with the number of products that are done. */
	readonly onProgress: (done: number) => void;
}

/** What happened to products, and to their pages. */
export interface PublishedProducts {
	readonly published: Published;
	/**
	 * Pages whose files were replaced, by the readable path of their address, and when the reviews on them last changed, in
	 * milliseconds since 1970.
	 */
	readonly pages: ReadonlyMap<string, number | undefined>;
}

/** Asks the service for products, and brings what changed into their pages. */
export async function publishProducts(
	pids: readonly string[],
	{ reviews, build, folder, isDryRun, since, now, onProgress }: ProductsContext,
): Promise<PublishedProducts> {
	const { store } = reviews;
	const table = store.pages<StoredPage>();
	const contents = createContents(reviews, build.options);
	const context = { folder, base: build.base, table, flush: store.flush, contents, isDryRun, now };
	const files = new Set<string>();
	const pages = new Map<string, number | undefined>();
	const changed = new Set<string>();
	const rebuild = new Map<string | null, string>();
	for (let at = 0; at < pids.length; at += BATCH) {
		const batch = pids.slice(at, at + BATCH);
		// Before the pages ask for the same data.
		const inCollection = build.hasCollection ? await filterChanged(batch, reviews, build.at) : [];
		if (inCollection.length > 0) rebuild.set(null, IN_COLLECTION);
		for (const pid of inCollection) changed.add(pid);
		for await (const result of publishPages(table.showing(batch), new Set(batch), context)) {
			const { page, reason, changedAt } = result;
			const written = result.files ?? ((changedAt ?? 0) >= since ? result.found : undefined);
			if (written) pages.set(page, changedAt);
			for (const file of written ?? []) files.add(file);
			if (reason !== undefined) rebuild.set(page, reason);
			for (const pid of result.pids) changed.add(pid);
		}
		onProgress(Math.min(at + BATCH, pids.length));
	}
	const failed = [...contents.failed.values()];
	const same = pids.filter((pid) => !changed.has(pid) && !contents.failed.has(pid));
	const notShown = new Set(same.filter((pid) => table.showing([pid]).length === 0));
	const published = {
		files: [...files].toSorted(),
		rebuild: [...rebuild].map(([page, reason]) => ({ page, reason })),
		unchanged: same.filter((pid) => !notShown.has(pid)),
		notShown: [...notShown],
		failed,
	};
	return { published, pages };
}

const IN_COLLECTION = 'a content collection has reviews that changed, and any page may show them';

async function filterChanged(
	pids: readonly string[],
	reviews: OpenReviews,
	builtAt: number,
): Promise<readonly string[]> {
	const changed = new Set<string>();
	await inParallel(pids, pids.length, async (pid) => {
		if (await hasCollectionChanged(pid, reviews, builtAt)) changed.add(pid);
	});
	return pids.filter((pid) => changed.has(pid));
}

/**
 * Whether the review data of a product is other than in the last build. A content collection has it, and nobody knows which
 * pages show it. Products that the collection never had are not asked for. What the collection has is kept until the next
 * build: only the first run finds it in the store, and its rebuild may fail.
 * @param builtAt when that was, in milliseconds since 1970.
 */
export async function hasCollectionChanged(
	pid: string,
	{ store, reviewData }: Pick<OpenReviews, 'store' | 'reviewData'>,
	builtAt: number,
): Promise<boolean> {
	const table = store.table('review-data');
	const output = store.table<{ readonly digest: string }>('output');
	const key = `collection ${pid}`;
	const kept = output.get(key);
	const isKept = kept && kept.fetchedAt >= builtAt;
	const before = isKept ? kept.value.digest : table.entry(pid)?.digest;
	if (before === undefined) return false;
	if (!isKept) output.put(key, pack({ digest: before }), Date.now());
	await reviewData.settle(pid);
	return table.entry(pid)?.digest !== before;
}

/** What pages show now, with the products for which this is not known. */
interface FetchedContents extends CurrentContents {
	readonly failed: ReadonlyMap<string, FailedProduct>;
}

/** Asks the service for what is not known, once for each product. */
function createContents(reviews: OpenReviews, settings: FragmentSettings): FetchedContents {
	const data = createProductData(reviews);
	const fragmentOf = createFragments(data, settings, undefined);
	const { outcomes } = reviews;
	const failed = new Map<string, FailedProduct>();
	return {
		failed,
		async isKnown({ pid, from }) {
			await data.settle(from, pid);
			if (outcomes[from].isSettled(pid)) return true;
			failed.set(pid, { pid, reason: outcomes[from].get(pid)?.reason ?? 'the service failed' });
			return false;
		},
		versionOf: ({ pid, from }) => data.versionOf(from, pid),
		isSameData: async ({ pid, from, digest }) =>
			digest !== undefined && digestOfRating(await data.readRating(from, pid)) === digest,
		async fragmentOf({ pid, from, request }) {
			if (!request) throw new TypeError('The page has no fragment there.');
			const fragment = await fragmentOf(pid, request, from);
			return { fragment, digest: digestOfFragment(fragment) };
		},
	};
}

/** Files written at once. Most of the time they wait for the disk. */
const FILES_AT_ONCE = 8;

/** Pages read, noted and written together: their files are in memory. */
const CHUNK = 200;

/** What pages are published with. */
interface PagesContext {
	/** Absolute path of the output folder. */
	readonly folder: string;
	readonly base: string;
	readonly table: PageTable<StoredPage>;
	/** Makes what is in the table durable. */
	readonly flush: () => void;
	readonly contents: CurrentContents;
	/** Whether to find out everything, and to write nothing. */
	readonly isDryRun: boolean;
	/** Milliseconds since 1970. */
	readonly now: () => number;
}

/** What happened to a page: its file was replaced, or it needs a rebuild for a reason, or neither. */
export interface PageResult {
	/** Path of its address, in readable form. */
	readonly page: string;
	/** The files that were replaced, with their compressed copies, relative to the output folder. */
	readonly files?: readonly string[];
	/** The files that stay as they are, relative to the output folder. */
	readonly found?: readonly string[];
	/** Why it needs a rebuild. */
	readonly reason?: string;
	/** When the reviews on it last changed, in milliseconds since 1970. */
	readonly changedAt?: number | undefined;
	/** Products whose reviews it shows, and that changed. */
	readonly pids: readonly string[];
}

/** A page whose file is to be replaced. */
interface Edit {
	readonly name: string;
	readonly path: string;
	/** A link to it, if that is what has the page's name. */
	readonly links: readonly string[];
	readonly contents: Buffer;
	readonly before: StoredPage;
	readonly after: StoredPage;
}

/**
 * Writes the fragments that changed into the files of their pages.
 * @param names of pages in the table.
 * @param pids products that may have changed.
 * @throws Error of the file system.
 */
export async function* publishPages(
	names: readonly string[],
	pids: ReadonlySet<string>,
	context: PagesContext,
): AsyncGenerator<PageResult> {
	for (let at = 0; at < names.length; at += CHUNK) {
		yield* await publishChunk(names.slice(at, at + CHUNK), pids, context);
	}
}

/** What each file will be is kept before it is written, so that a run that is killed can be completed. */
async function publishChunk(
	names: readonly string[],
	pids: ReadonlySet<string>,
	context: PagesContext,
): Promise<PageResult[]> {
	const { table, flush, isDryRun } = context;
	const edits: Edit[] = [];
	const results: PageResult[] = [];
	await inParallel(names, FILES_AT_ONCE, async (name, index) => {
		results[index] = await preparePage(name, pids, context, (edit) => edits.push(edit));
	});
	if (isDryRun) return results;
	for (const { name, before, after } of edits) keep(table, name, { ...before, next: after });
	flush();
	await inParallel(edits, FILES_AT_ONCE, ({ path, links, contents }) => replaceFile(path, contents, links));
	for (const { name, after } of edits) keep(table, name, after);
	flush();
	return results;
}

async function preparePage(
	name: string,
	pids: ReadonlySet<string>,
	context: PagesContext,
	onEdit: (edit: Edit) => void,
): Promise<PageResult> {
	const { table, folder, base, contents, isDryRun } = context;
	const stored = table.get(name);
	// The store says that it shows these products, so it is not current.
	if (!stored) return { page: name, reason: REASONS.unknown, pids: [] };
	const { address, next } = stored;
	const names = fileNames(address, base);
	if (next && !isDryRun) for (const file of names) await removeUnfinished(join(folder, file));
	const found = stored.file ? await findFile(folder, names, proofsOf(stored)) : undefined;
	const page = typeof found === 'object' && next && isOf(found, next) ? next : withoutNext(stored);
	const plan = await planPage(page, ({ pid }) => next !== undefined || pids.has(pid), contents);
	if (plan.kind === 'rebuild') return { page: address, reason: plan.reason, pids: plan.pids };
	// What was killed may have written some of the file's copies, and has told nobody which files it wrote.
	const isUnfinished = next !== undefined && typeof found === 'object';
	if (plan.kind === 'same' && !isUnfinished) {
		if (!isDryRun && plan.page !== stored) keep(table, name, plan.page);
		const files = typeof found === 'object' ? { found: await filesOf(found, folder) } : undefined;
		return { page: address, ...files, changedAt: page.changedAt, pids: [] };
	}
	if (typeof found !== 'object') {
		return { page: address, reason: REASONS[found ?? 'gone'], pids: plan.pids };
	}
	const changedAt = plan.kind === 'edit' ? context.now() : page.changedAt;
	const edited = editPage({ ...plan.page, changedAt }, found.contents, plan.texts);
	const { path } = found;
	const link = join(folder, found.name);
	const links = link === path ? [] : [link];
	onEdit({ name, path, links, contents: edited.contents, before: page, after: edited.page });
	return { page: address, files: await filesOf(found, folder), changedAt, pids: plan.pids };
}

/** A page's file, the one that it may be a link to, and their compressed copies, relative to the output folder. */
async function filesOf({ name, path }: FoundFile, folder: string): Promise<readonly string[]> {
	const real = relative(await realpath(folder), path).replaceAll(sep, '/');
	const files = [...new Set([name, real])];
	const copies = await Promise.all(files.map((file) => copiesOf(folder, file)));
	return [...files, ...copies.flat()];
}

const REASONS = {
	gone: 'its file is gone',
	altered: 'its file was changed after the build',
	outside: 'its file is a link that leads out of the output folder',
	unknown: 'what the store had of it is damaged',
} as const;

function proofsOf({ file, next }: StoredPage): readonly FileProof[] {
	return [file, next?.file].filter((proof) => proof !== undefined && proof !== null);
}

function isOf({ proof }: FoundFile, { file }: Pick<StoredPage, 'file'>): boolean {
	return !!file && isSameProof(file, proof);
}

function withoutNext(page: StoredPage): StoredPage {
	if (!page.next) return page;
	const { next: _next, ...noted } = page;
	return noted;
}

function keep(table: PageTable<StoredPage>, name: string, page: StoredPage): void {
	table.put(name, pack(page), productsOf(page));
}
