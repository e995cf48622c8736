import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { inParallel } from '../base/async.js';
import { nameOfAddress, readablePath } from '../base/paths.js';
import type { Dependency, KnownPage, PageStore, StoredPage } from '../cache/page-store.js';
import type { ProductData } from '../pages/build-source.js';
import { holdsOnly, newGeneration, pageFiles, productsOf } from '../pages/page-row.js';
import { UNKNOWN_PAGE } from '../pages/page-source.js';
import { copiesOf, type FoundFile, findPageFiles, removeUnfinished, replaceFound } from '../project/files.js';
import { applyEdits, type CurrentFragment, editFragment, type NotReplaceable, textOf } from './page-edit.js';

export interface CurrentContents extends Pick<ProductData, 'versionOf' | 'isSameData' | 'fragmentOf'> {
	/** Resolves to `true` if this is known, because the service did not fail. */
	isKnown(dependency: Dependency): Promise<boolean>;
}

export interface PagesContext {
	readonly folder: string;
	/** The project's folder, which the names of others are relative to. */
	readonly root: string;
	/** Folders with copies of the pages that the build recorded. */
	readonly copies: readonly string[];
	/** Folders with copies that were made since. */
	readonly unrecorded: readonly string[];
	readonly base: string;
	readonly store: PageStore;
	readonly contents: CurrentContents;
	readonly isDryRun: boolean;
	/** Pages that this run has written: their files hold what is noted as next, and nothing else. */
	readonly written: Set<string>;
}

/** Outcome for a page: its file was replaced, or it needs a rebuild for a reason, or neither. */
export interface PageResult {
	readonly page: string | null;
	readonly name: string;
	readonly files?: readonly string[];
	readonly reason?: string;
	/** Time when its reviews changed, in milliseconds since 1970, if its file is written. */
	readonly changedAt?: number;
	/** `true` if its file holds what a build would write, as far as it is about these products. */
	readonly isDone: boolean;
	readonly pids: readonly string[];
	/** Pages that only a build can add or remove, with the reason. */
	readonly others?: ReadonlyMap<string, string>;
}

export const REASONS = {
	'own-markup': 'its own markup uses reviews that changed',
	elsewhere: 'it has reviews that were rendered for no page of this build',
	unknown: 'the code of some page uses reviews that changed, without passing Astro to the function',
	changed: 'the html of its components was changed after they wrote it',
	uncommented:
		'a comment of a component without reviews was removed: have what minifies pages keep comments with "data-pr"',
	section: 'a <ReviewSection> with slots appears or disappears',
	gone: 'its file is gone',
	outside: 'its file is a link that leads out of the output folder',
	damaged: 'what the cache had of it is damaged',
	copy: 'its copy is not as the build left it',
	unrecorded: 'it has a copy that something else than the build made',
	'page-added': 'the reviews of a product fill a page that the last build did not write',
	'page-over': 'the reviews of a product no longer fill this page',
} as const;

/** Files written at once. Most of the time they wait for the disk. */
const FILES_AT_ONCE = 8;

/** Pages read and written together: their files are in memory. */
const CHUNK = 200;

/** A page that is to be written, or only noted as it is. */
interface Plan {
	readonly result: PageResult;
	readonly noted?: KnownPage;
	/** Its file comes last: if that is new, so are its copies. */
	readonly writes?: readonly EditedFile[];
}

/**
 * Compares pages with what a build would write, and replaces the elements that differ. An element is replaced only if it is one of
 * those that its file may hold, so whatever somebody else changed is left, and said.
 */
export async function* updatePages(
	names: readonly string[],
	pids: ReadonlySet<string>,
	context: PagesContext,
): AsyncGenerator<PageResult> {
	const { store, isDryRun, written } = context;
	for (let at = 0; at < names.length; at += CHUNK) {
		const chunk = names.slice(at, at + CHUNK);
		const plans: Plan[] = [];
		await inParallel(chunk, FILES_AT_ONCE, async (name, index) => {
			plans[index] = await planPage(name, pids, context);
		});
		if (!isDryRun) {
			// Before any file is written: whoever runs after this one knows what it may hold.
			store.begin(new Map(plans.flatMap(({ result, noted }) => (noted ? [[result.name, noted]] : []))));
			await inParallel(plans, FILES_AT_ONCE, async ({ result, writes }) => {
				for (const { file, contents } of writes ?? []) await replaceFound(file, contents);
				if (writes) written.add(result.name);
			});
		}
		for (const { result } of plans) yield result;
	}
}

async function planPage(name: string, pids: ReadonlySet<string>, context: PagesContext): Promise<Plan> {
	const { store, folder, base, isDryRun, written } = context;
	const stored = store.get(name);
	// The index says that it shows these products, so it is not current.
	if (!stored) return { result: { page: name, name, reason: REASONS.damaged, isDone: false, pids: [] } };
	const known = stored.next && written.has(name) ? { row: stored.next, next: undefined } : stored;
	const { row, next } = known;
	const { address } = row;
	const { own, fragments, dependencies, isKnown } = await compare(known, pids, context);
	const leave = (reason: keyof typeof REASONS, changed: readonly string[], details = ''): Plan => ({
		result: {
			page: address === UNKNOWN_PAGE ? null : address,
			name,
			reason: `${REASONS[reason]}${details}`,
			isDone: false,
			pids: changed,
		},
	});
	const changed = productsOf(fragments);
	if (address === UNKNOWN_PAGE) {
		const [first = own?.pid] = changed;
		if (first !== undefined) return leave('unknown', [first]);
	} else if (own)
		return leave(own.held?.length === 0 ? 'elsewhere' : 'own-markup', [own.pid], usesOf(row, own));
	if (changed.length === 0) {
		const isSame = dependencies.every((one, index) => one.version === row.dependencies[index]?.version);
		const result = { page: address, name, isDone: isKnown, pids: [] };
		// What an update that was killed has noted is what the next one goes by.
		return isSame || stored.next
			? { result }
			: { result, noted: { row: { ...row, dependencies }, next: undefined } };
	}
	const names = pageFiles(row, base);
	const isResumed = next !== undefined && !isDryRun;
	if (isResumed) for (const file of names) await removeUnfinished(join(folder, file));
	const files = await findPageFiles(folder, names);
	if (files === 'outside') return leave('outside', changed);
	if (files.length === 0) return leave('gone', changed);
	const edited = editFile(files, fragments);
	if (typeof edited === 'string') return leave(edited, changed);
	const copied = await editCopies(edited.file.name, fragments, isResumed, context);
	if ('problem' in copied) return leave(copied.problem, changed, `: ${copied.path}`);
	const { file } = edited;
	const others = findOtherPages(address, fragments, context);
	const changedAt = stored.next?.changedAt ?? Date.now();
	// Astro's cache has the page as it was, so an incremental build has to render it again.
	const generation = row.generation === undefined ? undefined : newGeneration();
	const page = { ...row, dependencies, changedAt, generation };
	const held = row.dependencies.map((one, index) => withHeld(one, next?.dependencies[index]));
	return {
		result: {
			page: address,
			name,
			files: await filesOf(file, folder),
			changedAt,
			// Named by every update until a build has come.
			isDone: isKnown && others.size === 0,
			pids: changed,
			others,
		},
		noted: { row: { ...row, dependencies: held, generation }, next: page },
		writes: [...copied.edited, edited],
	};
}

/** Finds the pages of lists whose number has changed: the one that is missing, or the one that nothing is left for. */
function findOtherPages(
	address: string,
	fragments: readonly CurrentFragment[],
	{ store, base }: PagesContext,
): ReadonlyMap<string, string> {
	const found = new Map<string, string>();
	for (const facts of fragments.flatMap(({ fragment }) => fragment.facts)) {
		if (facts.component !== 'page') continue;
		const { pathname } = new URL(facts.last, new URL(address, 'http://localhost'));
		const last = readablePath(pathname);
		if (facts.page > facts.pages) found.set(address, REASONS['page-over']);
		if (!store.get(nameOfAddress(last, base))) found.set(last, REASONS['page-added']);
	}
	return found;
}

/** Names what a page's own markup uses of a product. */
function usesOf({ facts }: StoredPage, { pid }: Dependency): string {
	const uses = facts.flatMap((one) => (one.component === 'use' && one.pid === pid ? one.by : []));
	return uses.length > 0 ? `: ${[...new Set(uses)].join(', ')}` : '';
}

/** Adds what an update that was killed may have written. */
function withHeld(before: Dependency, written: Dependency | undefined): Dependency {
	if (!before.held || !written?.held) return before;
	return { ...before, held: [...new Set([...before.held, ...written.held])] };
}

/**
 * Finds the fragments of a page whose file may hold something else than what is current.
 * @returns `dependencies` as they are once these are written; `isKnown` if the service failed for none of the products; `own`
 * is data that the page's own markup uses, and that changed.
 */
async function compare({ row, next }: KnownPage, pids: ReadonlySet<string>, { contents }: PagesContext) {
	const { dependencies } = row;
	// All are asked for together: a listing may show a hundred products.
	const known = await Promise.all(dependencies.map((one) => pids.has(one.pid) && contents.isKnown(one)));
	const now = dependencies.map((one, index) => withHeld(one, next?.dependencies[index]));
	const fragments = new Map<string, CurrentFragment>();
	let byName: ReadonlyMap<string, readonly Dependency[]> | undefined;
	for (const [index, dependency] of [...now].entries()) {
		if (!known[index]) continue;
		const { pid, request, held = [] } = dependency;
		const version = await contents.versionOf(dependency);
		if (version === dependency.version && held.length <= 1) continue;
		if (!request) {
			if (version !== dependency.version && !(await contents.isSameData(dependency)))
				return { dependencies, fragments: [], isKnown: true, own: dependency };
			now[index] = { ...dependency, version };
			continue;
		}
		const current = await contents.fragmentOf(dependency);
		now[index] = { ...dependency, version, held: [current.digest] };
		if (holdsOnly(held, current.digest)) continue;
		const name = nameOf(dependency);
		byName ??= Map.groupBy(dependencies, nameOf);
		const found = { pid, request, fragment: current, times: byName.get(name)?.length ?? 0 };
		fragments.set(name, { ...found, held: [...held, current.digest] });
	}
	const isKnown = dependencies.every(({ pid }, index) => known[index] || !pids.has(pid));
	return { dependencies: now, fragments: [...fragments.values()], isKnown };
}

function nameOf({ pid, request }: Dependency): string {
	return JSON.stringify([pid, request]);
}

interface EditedFile {
	readonly file: FoundFile;
	readonly contents: Buffer;
}

function editFile(
	files: readonly FoundFile[],
	fragments: readonly CurrentFragment[],
): EditedFile | NotReplaceable {
	let problem: NotReplaceable = 'changed';
	for (const file of files) {
		const text = textOf(file.contents);
		const found = fragments.map((fragment) => editFragment(text, fragment));
		const failed = found.findLast((one) => typeof one === 'string');
		const edits = found.flatMap((one) => (typeof one === 'string' ? [] : one));
		if (failed === undefined) return { file, contents: applyEdits(text, edits) };
		problem = failed;
	}
	return problem;
}

/** Edits the copies of a file. @returns the first that cannot be edited, in place of them */
async function editCopies(
	name: string,
	fragments: readonly CurrentFragment[],
	isResumed: boolean,
	{ root, copies, unrecorded }: PagesContext,
): Promise<
	| { readonly edited: readonly EditedFile[] }
	| { readonly problem: 'copy' | 'outside' | 'unrecorded'; readonly path: string }
> {
	const other = unrecorded.find((folder) => existsSync(join(root, folder, name)));
	if (other !== undefined) return { problem: 'unrecorded', path: `${other}/${name}` };
	const edited: EditedFile[] = [];
	for (const folder of copies) {
		const path = `${folder}/${name}`;
		if (isResumed) await removeUnfinished(join(root, path));
		const found = await findPageFiles(join(root, folder), [name]);
		if (found === 'outside') return { problem: 'outside', path };
		const copy = found.length === 0 ? undefined : editFile(found, fragments);
		if (typeof copy === 'string') return { problem: 'copy', path };
		if (copy) edited.push(copy);
	}
	return { edited };
}

async function filesOf({ name, path }: FoundFile, folder: string): Promise<readonly string[]> {
	const real = relative(await realpath(folder), path).replaceAll(sep, '/');
	const files = [...new Set([name, real])];
	const copies = await Promise.all(files.map((file) => copiesOf(folder, file)));
	return [...files, ...copies.flat()];
}
