import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { PageTable } from '../cache/review-cache.js';
import { type Dependency, fileNames, productsOf, putPage, type StoredPage } from '../pages/page.js';
import { newGeneration } from '../pages/page-keys.js';
import { UNKNOWN_PAGE } from '../pages/recorder.js';
import {
	copiesOf,
	type FoundFile,
	findPageFiles,
	removeUnfinished,
	renewText,
	replaceFile,
} from '../project/files.js';
import type { ProductData } from '../session/source.js';
import {
	applyEdits,
	type CurrentFragment,
	type Edit,
	editFragment,
	type NotReplaceable,
	textOf,
} from './page-edit.js';

export interface CurrentContents extends Pick<ProductData, 'versionOf' | 'isSameData' | 'fragmentOf'> {
	/** Whether this is known, because the service did not fail. */
	isKnown(dependency: Dependency): Promise<boolean>;
}

export interface PagesContext {
	readonly folder: string;
	readonly base: string;
	readonly table: PageTable<StoredPage>;
	readonly contents: CurrentContents;
	readonly isDryRun: boolean;
	/** Whether an earlier run may have left files that it had not finished writing. */
	readonly isResumed: boolean;
	/** The reviews of a page as Markdown. @default pages have none */
	readonly twinText?: ((page: StoredPage) => Promise<string>) | undefined;
}

/** What happened to a page: its file was replaced, or it needs a rebuild for a reason, or neither. */
export interface PageResult {
	readonly page: string | null;
	readonly files?: readonly string[];
	readonly found?: readonly string[];
	/** Its reviews as Markdown, if they were replaced alone. */
	readonly twins?: readonly string[];
	readonly reason?: string;
	readonly changedAt?: number | undefined;
	readonly pids: readonly string[];
}

const REASONS = {
	'own-markup': 'its own markup uses reviews that changed',
	unknown: 'the code of some page uses reviews that changed, without passing Astro to the function',
	changed: 'the html of its components was changed after they wrote it',
	section: 'a <ReviewSection> with slots appears or disappears',
	gone: 'its file is gone',
	outside: 'its file is a link that leads out of the output folder',
	damaged: 'what the cache had of it is damaged',
} as const;

/** Files written at once. Most of the time they wait for the disk. */
const FILES_AT_ONCE = 8;

/** Pages read and written together: their files are in memory. */
const CHUNK = 200;

interface Write {
	readonly name: string;
	readonly page: StoredPage;
	readonly file: FoundFile;
	readonly contents: Buffer;
}

export async function* updatePages(
	names: readonly string[],
	pids: ReadonlySet<string>,
	context: PagesContext,
): AsyncGenerator<PageResult> {
	const { table, folder, isDryRun } = context;
	for (let at = 0; at < names.length; at += CHUNK) {
		const chunk = names.slice(at, at + CHUNK);
		const writes: Write[] = [];
		const results: PageResult[] = [];
		await inParallel(chunk, FILES_AT_ONCE, async (name, index) => {
			results[index] = await preparePage(name, pids, context, (write) => writes.push(write));
		});
		if (!isDryRun) {
			// The files first: a run that was killed is completed by writing the same again.
			await inParallel(writes, FILES_AT_ONCE, ({ file: { name, path }, contents }) => {
				const link = join(folder, name);
				return replaceFile(path, contents, link === path ? [] : [link]);
			});
			for (const { name, page } of writes) putPage(table, name, page);
		}
		yield* results;
	}
}

async function preparePage(
	name: string,
	pids: ReadonlySet<string>,
	context: PagesContext,
	onWrite: (write: Write) => void,
): Promise<PageResult> {
	const { table, folder, base, isDryRun, isResumed } = context;
	const page = table.get(name);
	// The cache says that it shows these products, so it is not current.
	if (!page) return { page: name, reason: REASONS.damaged, pids: [] };
	const { address } = page;
	const isUnknown = address === UNKNOWN_PAGE;
	const changes = await changesOf(page, pids, context);
	const changed = changes.own ?? changes.fragments.find(({ isSame }) => !isSame)?.pid;
	if (isUnknown) {
		return changed === undefined
			? { page: null, pids: [] }
			: { page: null, reason: REASONS.unknown, pids: [changed] };
	}
	if (changes.own !== undefined) return { page: address, reason: REASONS['own-markup'], pids: [changes.own] };
	const names = fileNames(address, base);
	if (isResumed && !isDryRun) for (const file of names) await removeUnfinished(join(folder, file));
	const files = await findPageFiles(folder, names);
	const all = productsOf(changes.fragments.filter(({ isSame }) => !isSame || changed === undefined));
	if (files === 'outside' || files.length === 0) {
		if (changed === undefined) return { page: address, pids: [] };
		return { page: address, reason: files === 'outside' ? REASONS.outside : REASONS.gone, pids: all };
	}
	const [first] = files as [FoundFile];
	const plan = planFile(files, changes.fragments);
	if (changed === undefined && (typeof plan === 'string' || !(await mayBeOther(plan, folder)))) {
		if (!isDryRun && changes.isNewVersion)
			putPage(table, name, { ...page, dependencies: changes.dependencies });
		const twins = await renewTwin({ ...page, dependencies: changes.dependencies }, context);
		const found = await filesOf(first, folder);
		return { page: address, found, twins, changedAt: page.changedAt, pids: [] };
	}
	if (typeof plan === 'string') return { page: address, reason: REASONS[plan], pids: all };
	const { file, text, edits } = plan;
	const changedAt = Date.now();
	// Astro's cache has the page as it was, so an incremental build has to render it again.
	const generation = page.generation === undefined ? undefined : newGeneration();
	const updated = { ...page, dependencies: changes.dependencies, changedAt, generation };
	const contents = edits.length > 0 ? applyEdits(text, edits) : file.contents;
	// Before the page: a run that is killed in between is completed like one that wrote neither.
	const twins = await renewTwin(updated, context);
	onWrite({ name, page: updated, file, contents });
	return { page: address, files: [...(await filesOf(file, folder)), ...twins], changedAt, pids: all };
}

async function renewTwin(page: StoredPage, context: PagesContext): Promise<readonly string[]> {
	if (page.twin === undefined || !context.twinText) return [];
	return renewText(page.twin, await context.twinText(page), context);
}

async function changesOf(page: StoredPage, pids: ReadonlySet<string>, { contents, isResumed }: PagesContext) {
	const { dependencies } = page;
	// All are asked for together: a listing may show a hundred products.
	const known = await Promise.all(dependencies.map((one) => pids.has(one.pid) && contents.isKnown(one)));
	const now = [...dependencies];
	const fragments = new Map<string, CurrentFragment>();
	for (const [index, dependency] of dependencies.entries()) {
		const { pid, request, digest } = dependency;
		const version = known[index] ? await contents.versionOf(dependency) : dependency.version;
		if (version === dependency.version && !(isResumed && known[index] && request)) continue;
		if (!request) {
			if (!(await contents.isSameData(dependency)))
				return { dependencies, isNewVersion: true, own: pid, fragments: [] };
			now[index] = { ...dependency, version };
			continue;
		}
		const current = await contents.fragmentOf(dependency);
		if (version !== dependency.version) now[index] = { ...dependency, version, digest: current.digest };
		const isSame = current.digest === digest;
		if (isSame && !isResumed) continue;
		const name = nameOf(dependency);
		const times = dependencies.filter((one) => nameOf(one) === name).length;
		const before = isResumed ? undefined : digest;
		fragments.set(name, { pid, request, fragment: current, times, isSame, before });
	}
	const isNewVersion = now.some((one, index) => one !== dependencies[index]);
	return { dependencies: now, isNewVersion, fragments: [...fragments.values()] };
}

function nameOf({ pid, request }: Dependency): string {
	return JSON.stringify([pid, request]);
}

interface Plan {
	readonly file: FoundFile;
	readonly text: string;
	readonly edits: readonly Edit[];
}

/** Whether a killed run may have written something else: copies of a file come before it, and may be all that it wrote. */
async function mayBeOther({ edits, file }: Plan, folder: string): Promise<boolean> {
	return edits.length > 0 || (await copiesOf(folder, file.name)).length > 0;
}

function planFile(files: readonly FoundFile[], fragments: readonly CurrentFragment[]): Plan | NotReplaceable {
	let problem: NotReplaceable = 'changed';
	for (const file of fragments.length > 0 ? files : []) {
		const text = textOf(file.contents);
		const edits: Edit[] = [];
		let failed: NotReplaceable | undefined;
		for (const fragment of fragments) {
			const found = editFragment(text, fragment);
			if (typeof found !== 'string') edits.push(...found);
			else if (!fragment.isSame) failed = found;
		}
		if (failed === undefined) return { file, text, edits };
		problem = failed;
	}
	return problem;
}

async function filesOf({ name, path }: FoundFile, folder: string): Promise<readonly string[]> {
	const real = relative(await realpath(folder), path).replaceAll(sep, '/');
	const files = [...new Set([name, real])];
	const copies = await Promise.all(files.map((file) => copiesOf(folder, file)));
	return [...files, ...copies.flat()];
}

/**
 * Runs an operation for every item, some at the same time. After one that fails, no other is started, and those under way
 * are waited for: whoever holds a lock for them may then release it.
 * @param most how many run at the same time.
 * @throws what the first one threw.
 */
export async function inParallel<Item>(
	items: readonly Item[],
	most: number,
	run: (item: Item, index: number) => Promise<void>,
): Promise<void> {
	const waiting = items.entries();
	const failures: unknown[] = [];
	const work = async () => {
		for (const [index, item] of waiting) {
			if (failures.length > 0) return;
			await run(item, index).catch((error) => failures.push(error));
		}
	};
	await Promise.all(Array.from({ length: Math.min(most, items.length) }, work));
	if (failures.length > 0) throw failures[0];
}
