import { existsSync, statSync } from 'node:fs';
import { constants, copyFile, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { inParallel } from '../../collections/in-parallel.js';
import { CommandError } from '../../errors.js';
import { writeReport } from '../../report/report.js';
import { lastBuildFile, writeLastBuild } from '../../session/last-build.js';
import { lockOutput } from '../../session/lock-output.js';
import { mergeStore } from '../../store/merge-store.js';
import { openDatabase, openExistingFile } from '../../store/open-database.js';
import { plainLine, reasonOf } from '../../text/words.js';
import { type JoinedCache, MANIFEST, PAGES } from './join-caches.js';
import type { JoinedReport } from './join-reports.js';
import { joinStores, type StoreSource } from './join-stores.js';
import type { FilePlan } from './plan-files.js';
import type { ShardFolder, Target } from './target.js';

/** How long a merge waits for a build or a publish, in milliseconds: a minute. */
const PATIENCE = 60_000;

/** The whole site, as it is to be written. */
export interface JoinedSite {
	readonly shards: readonly ShardFolder[];
	/** Of which records and pages are taken. */
	readonly account: string;
	readonly files: FilePlan;
	readonly cache: JoinedCache | undefined;
	readonly report: JoinedReport;
}

/** What a merge is run with. */
export interface WriteContext {
	/** Milliseconds since 1970. */
	readonly now: number;
	/** Called if another process holds the output folder. */
	readonly onWait: () => void;
	/** Called with the number of files that were compared or copied, and of all of them. */
	readonly onProgress: (what: 'compared' | 'copied', done: number, total: number) => void;
}

/**
 * Writes everything beside its place, and then renames it. No build and no publish has the output folder meanwhile.
 * @throws CommandError if something cannot be written, or if another process holds the output folder for a minute. Then
 * nothing has changed.
 */
export async function writeTarget(target: Target, site: JoinedSite, context: WriteContext): Promise<void> {
	const { storeFile, outDir } = target;
	try {
		const unlock = await lockOutput({ storeFile, outDir, patience: PATIENCE, onWait: context.onWait });
		if (!unlock) throw busy();
		const former = openFormerStore(storeFile);
		try {
			await clear(target);
			await stage(target, site, former.isUsable, context);
			await replaceAll(target, site.cache !== undefined, former, context.now);
		} finally {
			former.close();
			await clear(target).finally(unlock);
		}
	} catch (cause) {
		if (cause instanceof CommandError) throw cause;
		throw new CommandError(
			'PR_FILE_NOT_WRITTEN',
			`The whole site could not be written to ${target.name}: ${reasonOf(cause)}.`,
			'Make the folder writable, and make room for a copy of all shards.',
			{ cause },
		);
	}
}

function busy(): CommandError {
	return new CommandError(
		'PR_OUTPUT_BUSY',
		'Another build or update has held the output folder for a minute.',
		'Merge again when it has ended.',
	);
}

/** Removes what is unfinished, also of an earlier run that was killed. */
async function clear({ outDir, storeFile, reportFile, astroCache }: Target): Promise<void> {
	const cached = astroCache === undefined ? [] : [join(astroCache, PAGES), join(astroCache, MANIFEST)];
	for (const path of [outDir, storeFile, lastBuildFile(storeFile), reportFile, ...cached])
		await removeUnfinished(path);
	for (const end of ['-journal', '-wal', '-shm']) await rm(unfinishedName(storeFile) + end, { force: true });
}

async function stage(
	target: Target,
	{ shards, account, files, cache, report }: JoinedSite,
	hasFormer: boolean,
	{ now, onProgress }: WriteContext,
): Promise<void> {
	const { outDir, storeFile, reportFile, astroCache } = target;
	const total = files.copied.size + (cache?.files.size ?? 0);
	await mkdir(dirname(outDir), { recursive: true });
	await writeFolder(unfinishedName(outDir), files, (done) => onProgress('copied', done, total));
	if (cache && astroCache !== undefined) {
		await mkdir(astroCache, { recursive: true });
		const copied = { copied: cache.files, joined: [] };
		await writeFolder(unfinishedName(join(astroCache, PAGES)), copied, (done) =>
			onProgress('copied', files.copied.size + done, total),
		);
		await writeFile(unfinishedName(join(astroCache, MANIFEST)), cache.manifest);
	}
	const joined = unfinishedName(storeFile);
	const sources: StoreSource[] = shards.map(({ storeFile: file, name }) => ({ file, name, account }));
	// Events may have marked products in it since the shards began.
	if (hasFormer) sources.push({ file: storeFile, name: undefined, account: undefined });
	joinStores(joined, sources, now);
	writeLastBuild(storeFile, target.build, unfinishedName(lastBuildFile(storeFile)));
	const { size: bytes } = statSync(joined);
	writeReport(unfinishedName(reportFile), { ...report, store: { ...report.store, bytes } });
}

/** The store goes first. Of pages that are not there yet, it only says that their files were changed. */
async function replaceAll(
	{ storeFile, reportFile, outDir, astroCache }: Target,
	hasCache: boolean,
	former: FormerStore,
	now: number,
): Promise<void> {
	await former.replace(now);
	if (hasCache && astroCache !== undefined) {
		await replaceFolder(join(astroCache, PAGES));
		await replaceFile(join(astroCache, MANIFEST));
	}
	await replaceFolder(outDir);
	await replaceFile(lastBuildFile(storeFile));
	await replaceFile(reportFile);
}

/** The store that a merge replaces. */
interface FormerStore {
	/** Whether it has something to take. */
	readonly isUsable: boolean;
	/**
	 * Puts the joined store in its place, and then adds what other processes have marked in the former one meanwhile.
	 * @param now milliseconds since 1970.
	 */
	replace(now: number): Promise<void>;
	close(): void;
}

/** Opens the store that is at this place, if there is one that can be used. It can be read even when it is replaced. */
function openFormerStore(file: string): FormerStore {
	const former = tryToOpen(file);
	return {
		isUsable: former !== undefined,
		async replace(now) {
			// A log would be taken for that of the new file.
			former?.exec(FOLD_LOG);
			for (const end of ['-wal', '-shm']) await rm(file + end, { force: true });
			await replaceFile(file);
			if (former) takeMarks(former, file, now);
		},
		close: () => former?.close(),
	};
}

const FOLD_LOG = 'PRAGMA wal_checkpoint(TRUNCATE)';

function tryToOpen(file: string): DatabaseSync | undefined {
	let database: DatabaseSync | undefined;
	try {
		database = openExistingFile(file);
		database.exec(FOLD_LOG);
		return database;
	} catch {
		database?.close();
		return undefined;
	}
}

function takeMarks(former: DatabaseSync, file: string, now: number): void {
	const database = openDatabase(file, () => {});
	try {
		mergeStore(former, database, { now, kinds: ['mark'] });
		database.exec(FOLD_LOG);
	} finally {
		database.close();
	}
}

/** Where something is written before it takes its place: beside it, so that it can be renamed. */
function unfinishedName(path: string): string {
	return `${path}.merging`;
}

/** Where the former folder is while the new one takes its place. */
function formerName(path: string): string {
	return `${path}.replaced`;
}

/** Deletes what a run has left beside a file or a folder. If it ended before the new folder was in place, the former one returns. */
async function removeUnfinished(path: string): Promise<void> {
	await rm(unfinishedName(path), { recursive: true, force: true });
	const former = formerName(path);
	if (!existsSync(former)) return;
	if (existsSync(path)) await rm(former, { recursive: true, force: true });
	else await rename(former, path);
}

/** Puts a finished folder in its place. */
async function replaceFolder(path: string): Promise<void> {
	if (existsSync(path)) await rename(path, formerName(path));
	await rename(unfinishedName(path), path);
}

/** Puts a finished file in its place. */
async function replaceFile(path: string): Promise<void> {
	await rename(unfinishedName(path), path);
}

/** Files copied at once. */
const AT_ONCE = 16;

/**
 * Writes a new folder.
 * @param onProgress called with the number of files that are copied.
 * @throws CommandError if two names are one here, and Error of the file system. What was written until then stays.
 */
async function writeFolder(
	folder: string,
	{ copied, joined }: FilePlan,
	onProgress: (done: number) => void,
): Promise<void> {
	const made = new Map<string, Promise<unknown>>();
	const makeFolder = (path: string) => {
		const known = made.get(path) ?? mkdir(path, { recursive: true });
		made.set(path, known);
		return known;
	};
	await makeFolder(folder);
	let done = 0;
	await inParallel([...copied], AT_ONCE, async ([name, from]) => {
		const path = join(folder, name);
		// Shares the bytes where the file system can.
		const mode = constants.COPYFILE_FICLONE | constants.COPYFILE_EXCL;
		await writeNew(name, () => makeFolder(dirname(path)).then(() => copyFile(from, path, mode)));
		done += 1;
		onProgress(done);
	});
	for (const { name, text } of joined) {
		const path = join(folder, name);
		await writeNew(name, () => makeFolder(dirname(path)).then(() => writeFile(path, text, { flag: 'wx' })));
	}
}

/** The folder is new, so what is there has a name that the file system takes for the same. */
async function writeNew(name: string, write: () => Promise<void>): Promise<void> {
	try {
		await write();
	} catch (cause) {
		if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
		throw new CommandError(
			'PR_SHARDS_DIFFER',
			`Here, the name of ${plainLine(name, MOST_LETTERS)} is also that of another file.`,
			'Give pages names that differ in more than upper and lower case, or merge where file names are case-sensitive.',
			{ cause },
		);
	}
}

const MOST_LETTERS = 200;
